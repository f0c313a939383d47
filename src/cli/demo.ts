import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { agentRecord, offeringHit } from '../records/agent.ts'
import { runEventRecord, runRecord } from '../records/run.ts'
import { balanceRecord, walletRecord } from '../records/withdrawal.ts'
import { type Client, createClient } from './client.ts'
import { createPaint, hidePictures, shorten } from './paint.ts'
import { say } from './talk.ts'

const paint = createPaint(process.stdout)

type DemoOptions = { url: string; token: string; agent: string; say(line: string): void; elapsedMs(): number }

const task = 'What time is it in Tokyo right now?'

const agent = agentRecord.pick({ agent_id: true, handle: true, name: true, wallet_address: true })
const agentList = z.object({ data: z.array(agent) })
const findings = z.object({ offerings: z.array(offeringHit.pick({ agent_handle: true })) })
const run = z.object({ job: runRecord.shape.job.unwrap().pick({ job_id: true, state: true, agent_id: true, amount: true }) })
const sent = z.object({ step: z.string().optional(), hash: z.string().optional() }).loose()
const events = z.array(runEventRecord.pick({ type: true }).extend({ data: sent }))

const waitMs = 15_000
const pollMs = 100

/**
 * Shows a first hire step by step, and returns the object that `--json` prints.
 * @throws Error when a step does not happen in time
 */
export const demo = async ({ url, token, agent, say: tell, elapsedMs }: DemoOptions) => {
  const client = createClient({ url, token })
  const registered = await untilRegistered(client, agent)
  for (const it of registered)
    tell(`  registered  ${paint.bold(it.name)} (${it.handle}) is ${shorten(it.agent_id)}, paid at ${shorten(it.wallet_address)}`)

  const mine = walletRecord.parse(await client.get('/v1/wallets/me'))
  const escrow = mine.balances[0]?.escrow_address ?? ''
  const readBalance = async (address: string) => balanceRecord.parse(await client.get(`/balances/${address}`))
  const before = {
    user: await readBalance(mine.ethereum),
    agents: new Map(await Promise.all(registered.map(async it => [it.agent_id, await readBalance(it.wallet_address)] as const))),
  }
  tell(`  wallet      your proxy wallet ${shorten(mine.ethereum)} holds ${before.user.usdc} test USDC`)

  const speak = converse(client, tell)
  const proposed = await speak(task)
  if (proposed.data?.state !== 'awaiting-confirmation') throw new Error('No proposal came.')
  const { run_id } = await speak('yes')

  const { job } = run.parse(await client.get(`/runs/${run_id}`))
  const provider = registered.find(it => it.agent_id === job.agent_id)
  if (job.state !== 'settled' || !provider) throw new Error(`The job ended ${job.state}.`)
  const after = {
    user: await readBalance(mine.ethereum),
    agent: await readBalance(provider.wallet_address),
    escrow: await readBalance(escrow),
  }
  const agentBefore = before.agents.get(provider.agent_id)?.usdc ?? '0'
  const hashes = await transactionsOf(client, run_id)
  tell(`
  balances     before        after
  you          ${before.user.usdc.padEnd(13)} ${after.user.usdc}
  ${provider.handle.padEnd(12)} ${agentBefore.padEnd(13)} ${after.agent.usdc}
  escrow       ${'0'.padEnd(13)} ${after.escrow.usdc}
  all USDC     ${before.user.total_supply.padEnd(13)} ${after.user.total_supply}`)
  return {
    run_id,
    job_id: job.job_id,
    state: job.state,
    amount: job.amount,
    agent_id: job.agent_id,
    transactions: {
      createJob: hashes.hire,
      setBudget: hashes.hire,
      fund: hashes.hire,
      submit: hashes.submit,
      complete: hashes.complete,
    },
    balances: {
      user: { before: before.user.usdc, after: after.user.usdc },
      agent: { before: agentBefore, after: after.agent.usdc },
      escrow: { after: after.escrow.usdc },
    },
    total_supply: { before: before.user.total_supply, after: after.user.total_supply },
    seconds: Math.round(elapsedMs()) / 1000,
  }
}

/** Returns a function that sends a message to the butler and prints the steps. */
export const converse = (client: Client, tell: DemoOptions['say']) => {
  const conversationId = `demo-${randomUUID()}`
  return async (text: string) => {
    tell(`\n${paint.bold('you>')} ${text}`)
    let last = performance.now()
    const reply = await say(client, { text, conversationId }, step => {
      const took = performance.now() - last
      last = performance.now()
      const words = shorten(step.words.split('\n')[0] ?? '')
      tell(`  ${paint.accent(step.type.padEnd(15))} ${words} ${paint.dim(`${(took / 1000).toFixed(1)} s`)}`)
    })
    tell(`${paint.bold('butler>')} ${shorten(hidePictures(reply.content || reply.error))}`)
    return reply
  }
}

/** Reads repeatedly until there is a result. @throws Error with the complaint when the time is over */
export const until = async <T>(complaint: string, read: () => Promise<T | undefined>): Promise<T> => {
  for (let waited = 0; waited < waitMs; waited += pollMs) {
    const found = await read()
    if (found !== undefined) return found
    await new Promise(resolve => setTimeout(resolve, pollMs))
  }
  throw new Error(complaint)
}

/** Waits until the agent is registered and the search finds it for the task. Returns all agents that are registered by then. */
const untilRegistered = (client: Client, handle: string) =>
  until('The demo agents did not register in time.', async () => {
    const { data } = agentList.parse(await client.get('/agents'))
    const { offerings } = findings.parse(await client.get(`/offerings/search?query=${encodeURIComponent(task)}`))
    const isFound = offerings.some(it => it.agent_handle === handle)
    return isFound && data.some(it => it.handle === handle) ? data.filter(it => it.agent_id) : undefined
  })

const transactionsOf = async (client: Client, runId: string): Promise<Record<string, string | undefined>> => {
  const log = events.parse(await client.get(`/runs/${runId}/events`))
  return Object.fromEntries(log.filter(it => it.type === 'transaction').map(it => [it.data.step, it.data.hash]))
}
