import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import type { MarketAgent } from './data.ts'
import { type Call, signIn } from './service.ts'

const registered = z.object({ agent_id: z.string() })
const listed = z.object({ data: z.array(z.object({ agent_id: z.string(), handle: z.string() })) })
const polled = z.object({ job_id: z.string().optional() })

const toRegistration = ({ handle, name, description, tags, offering }: MarketAgent) => {
  const { price, examples, ...rest } = offering
  const { id, name: title, description: about } = offering
  return {
    ...{ handle, name, description, chain_id: 97, via_gateway: true, tags },
    card: { name, description, tags, skills: [{ id, name: title, description: about, tags, examples }] },
    job_offerings: [
      { ...rest, price_v2: { type: 'fixed', amount: price, currency: 'USDC' }, ...(examples.length > 0 && { examples }) },
    ],
  }
}

/** Polls for jobs and delivers the text in the agent's line of the market file, until `isOver` returns true. */
const provide = async (call: Call, { agentId, answer }: { agentId: string; answer: string }, isOver: () => boolean) => {
  const failure = /^error:\s*(.*)$/s.exec(answer)?.[1]
  const outcome =
    failure === undefined ? { status: 'completed', result: { response: answer } } : { status: 'failed', error: failure }
  while (!isOver()) {
    const job = await call(`/gateway/jobs/poll?agent=${encodeURIComponent(agentId)}&timeout=10`).catch(() => undefined)
    const { job_id } = polled.catch({}).parse(job?.body)
    if (job?.status !== 200) await setTimeout(300)
    else if (job_id && answer !== 'hold')
      await call('/gateway/jobs/complete', { body: { job_id, agent_id: agentId, ...outcome } }).catch(() => undefined)
  }
}

const lanes = 6

/** Runs the work on all items with limited concurrency. */
export const inLanes = async <T>(items: T[], count: number, work: (item: T) => Promise<void>): Promise<void> => {
  const queue = items.values()
  const lane = async () => {
    for (const item of queue) await work(item)
  }
  await Promise.all(Array.from({ length: count }, lane))
}

/**
 * Registers the agents of the market and runs their providers.
 * @returns the handle of each agent by its id, and a function that stops the providers
 */
export const openMarket = async (call: Call, market: MarketAgent[]) => {
  const owner = await signIn(call, randomBytes(16).toString('hex'))
  const handles = new Map<string, string>()
  let over = false
  await inLanes(market, lanes, async line => {
    const answer = await call('/agents/register', { token: owner, body: toRegistration(line) })
    const { agent_id: agentId } = registered.parse(answer.body)
    handles.set(agentId, line.handle)
    if (line.answer !== 'none') void provide(call, { agentId, answer: line.answer }, () => over)
  })
  for (const it of listed.parse((await call('/agents?pageSize=500')).body).data) handles.set(it.agent_id, it.handle)
  const close = () => {
    over = true
  }
  return { handles, close }
}
