import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { ask, eventsOf, readRun, talk } from '../hire/market.ts'
import type { User } from '../service.ts'
import { chainId } from './bsc.ts'
import { handles, type PublicMarket } from './market.ts'

const pauseMs = 500
/** A hire waits for confirmations three times, and for as many more as blocks are removed. */
const maxMs = 900_000

/** Repeats a read until it returns something. A request that fails while the node is silent is sent again. */
const patiently = async <T>(what: string, read: () => Promise<T | undefined>): Promise<T> => {
  const endsAt = performance.now() + maxMs
  let last: unknown
  while (performance.now() < endsAt) {
    const found = await read().catch((error: unknown) => {
      last = error
      return undefined
    })
    if (found !== undefined) return found
    await delay(pauseMs)
  }
  throw new Error(`Waited in vain for ${what}.`, { cause: last })
}

/** Asks for a hire until a proposal is shown, and says yes. */
const hire = async (user: User, handle: string) => {
  const proposed = await patiently('a proposal', async () => {
    const { say } = talk(user, randomUUID(), chainId)
    const answer = await say(`Hire agent ${handle} to write a haiku`, 20_000)
    return answer.data.proposal ? { say, answer } : undefined
  })
  const runId = proposed.answer.run_id
  // The same yes again has no effect, so a yes whose answer was lost is repeated.
  await patiently('a job', async () => {
    const { job, state } = await readRun(user, runId)
    if (job) return true
    if (state === 'awaiting-confirmation') await proposed.say('yes', 0)
    return undefined
  })
  return runId
}

const end = (user: User, runId: string) =>
  patiently(`the end of run ${runId}`, async () => {
    const run = await readRun(user, runId)
    return ['settled', 'refunded', 'cancelled'].includes(run.job?.state ?? '') ? run : undefined
  })

/** How a hire ended, and how long that took from the yes, in ms. */
export type Walked = { kind: WalkKind; state: string; ms: number; runId: string; content: string }

const cancel = (user: User, url: string, runId: string) =>
  patiently(`the cancellation of ${runId}`, async () => {
    const { status } = await ask({ url, token: user.token }, `/v1/hires/${runId}/cancel`, { body: { wait_ms: 0 } })
    return status === 200 || undefined
  })

const ends = { settle: 'settled', refund: 'refunded', cancel: 'refunded' } as const
export type WalkKind = keyof typeof ends
export const walkKinds: readonly WalkKind[] = ['settle', 'refund', 'cancel']
const hired = { settle: handles.good, refund: handles.failing, cancel: handles.away } as const

/** One hire that is paid, refunded because the agent failed, or cancelled before an agent took it. */
export const walk = async ({ url }: Pick<PublicMarket, 'url'>, user: User, kind: WalkKind): Promise<Walked> => {
  const begun = performance.now()
  const runId = await hire(user, hired[kind])
  if (kind === 'cancel') await cancel(user, url, runId)
  const run = await end(user, runId)
  const state = run.job?.state ?? ''
  if (state !== ends[kind]) throw new Error(`The ${kind} of ${runId} ended ${state}:\n${await logOf(user, runId)}`)
  return { kind, state, ms: performance.now() - begun, runId, content: run.content }
}

/** The events of a run, each with its time. */
const logOf = async (user: User, runId: string): Promise<string> =>
  (await eventsOf(user, runId)).map(it => `${it.timestamp} ${it.type}: ${it.summary_text}`).join('\n')

const withdrawal = z.object({ withdrawal_id: z.string(), amount: z.string(), status: z.string() })
const withdrawals = z.object({ withdrawals: z.array(withdrawal) })

/** Takes everything that a user's wallet, or one of their agents, holds. Resolves with the amount that was taken. */
export const withdrawAll = async ({ url }: Pick<PublicMarket, 'url'>, user: User, agentId?: string): Promise<string> => {
  const body = { chain_id: chainId, ...(agentId && { agent_id: agentId }) }
  const { withdrawal_id: id } = await patiently('a withdrawal', async () => {
    const answer = await ask({ url, token: user.token }, '/v1/withdrawals', { body })
    if (answer.status === 409) return undefined
    return withdrawal.safeParse(answer.body).data
  })
  const done = await patiently('the end of a withdrawal', async () => {
    const { withdrawals: all } = withdrawals.parse(await user.client.get('/v1/withdrawals'))
    return all.find(it => it.withdrawal_id === id && it.status !== 'pending')
  })
  if (done.status !== 'done') throw new Error(`The withdrawal ${id} ended ${done.status}.`)
  return done.amount
}
