import { randomUUID } from 'node:crypto'
import { generatePrivateKey } from 'viem/accounts'
import { z } from 'zod'
import type { JsonObject } from '../../src/domain/json.ts'
import type { AgentOffering } from '../../src/kit/kit.ts'
import { invokeOutput } from '../../src/operations/messages/invoke.ts'
import { runEventRecord, runRecord } from '../../src/records/run.ts'
import { type TestService, type User, until } from '../service.ts'

type Extra = { method?: string; headers?: Record<string, string>; body?: unknown }

/** Sends one request and returns status and body; a refusal is returned, not thrown. */
export const ask = async (
  at: { url: string; token?: string },
  path: string,
  { method = 'POST', headers = {}, body }: Extra = {},
) => {
  const response = await fetch(`${at.url}${path}`, {
    headers: { 'content-type': 'application/json', ...(at.token && { authorization: `Bearer ${at.token}` }), ...headers },
    ...(body !== undefined && { method, body: JSON.stringify(body) }),
  })
  const answer: unknown = await response.json()
  return { status: response.status, body: answer, code: z.object({ code: z.string() }).safeParse(answer).data?.code }
}

/** A conversation of a user with the butler, on the default chain unless one is named; `say` returns the answer. */
export const talk = ({ client }: User, conversationId: string = randomUUID(), chainId?: number) => ({
  conversationId,
  say: async (message: string, waitMs?: number) => {
    const body = {
      ...{ message, context: { conversation_id: conversationId } },
      ...(chainId !== undefined && { chain_id: chainId }),
      ...(waitMs !== undefined && { wait_ms: waitMs }),
    }
    return invokeOutput.parse(await client.post('/invoke', body))
  },
})

export const readRun = async ({ client }: User, runId: string) => runRecord.parse(await client.get(`/runs/${runId}`))

/** Waits until the run waits for its user or has ended, and returns it. */
export const rested = (user: User, runId: string) =>
  until(`run ${runId} to rest`, async () => {
    const run = await readRun(user, runId)
    return ['working', 'awaiting-job'].includes(run.state) ? undefined : run
  })

export const eventsOf = async ({ client }: User, runId: string) =>
  z.array(runEventRecord).parse(await client.get(`/runs/${runId}/events`))

/** The states of a run's job, in order. */
export const pathOf = async (user: User, runId: string) =>
  (await eventsOf(user, runId)).flatMap(it => (it.type.startsWith('job.') ? [it.type.slice('job.'.length)] : []))

const payment = z.object({ type: z.string(), amount: z.string(), payer: z.string(), payee: z.string(), transaction: z.string() })
export const paymentsOf = async ({ client }: User, runId: string) =>
  z.array(payment).parse(await client.get(`/runs/${runId}/payments`))

const holding = z.object({ usdc: z.string(), total_supply: z.string() })
const chainWallet = z.object({ balances: z.array(z.object({ escrow_address: z.string() })) })

/** The balances of the user, the escrow and other wallets, read from the chain through the public API. */
export const balancesOf = async (
  { client, proxy }: User,
  others: Record<string, string> = {},
): Promise<{ user: number; escrow: number; supply: number } & Record<string, number>> => {
  const [onChain] = chainWallet.parse(await client.get('/v1/wallets/me')).balances
  const wallets = Object.entries({ user: proxy, escrow: onChain?.escrow_address ?? '', ...others })
  const held = await Promise.all(
    wallets.map(async ([name, at]) => [name, holding.parse(await client.get(`/balances/${at}`))] as const),
  )
  const amounts = Object.fromEntries(held.map(([name, { usdc }]) => [name, Number(usdc)]))
  return { user: Number.NaN, escrow: Number.NaN, ...amounts, supply: Number(held[0]?.[1].total_supply) }
}

const agentRecord = z.object({ wallet_address: z.string() })
export const walletOf = async ({ client }: User, agentId: string) =>
  agentRecord.parse(await client.get(`/agents/${agentId}`)).wallet_address

const delivery = z.object({ job_id: z.string(), job_input: z.string(), revision: z.unknown().optional() })
const completed = z.object({ state: z.string(), accepted: z.boolean() })

/**
 * A provider that uses plain HTTP and acts only when the test calls it; its owner is a new user. It sends the owner's token.
 * Its gateway is in open mode, so that a test may also act without a credential.
 */
export const provider = async (market: TestService, offering: AgentOffering, handle = `p-${randomUUID().slice(0, 8)}`) => {
  const owner = await market.user(`owner-${handle}`)
  const register = async ({ price, usage, slaMinutes, ...rest }: AgentOffering) => {
    const price_v2 = usage
      ? { type: 'usage', up_to: price, unit: usage.unit, per_unit: usage.perUnit, currency: 'USDC' }
      : { type: 'fixed', amount: price }
    const job_offerings = [{ ...rest, price_v2, sla_minutes: slaMinutes }]
    const body = { handle, name: handle, chain_id: 97, via_gateway: true, job_offerings }
    return z.object({ agent_id: z.string() }).parse(await owner.client.post('/agents/register', body)).agent_id
  }
  const agentId = await register(offering)
  const own = { url: market.url, token: owner.token }
  await ask(own, `/agents/${agentId}/gateway-mode`, { method: 'PUT', body: { mode: 'open' } })
  const report = (jobId: string, of: JsonObject) =>
    ask(own, '/gateway/jobs/complete', { body: { job_id: jobId, agent_id: agentId, ...of } })
  return {
    handle,
    agentId,
    token: owner.token,
    wallet: await walletOf(owner, agentId),
    register,
    report,
    /** Waits up to 10 s for the next job. */
    take: async () => delivery.parse((await ask(own, `/gateway/jobs/poll?agent=${agentId}&timeout=10`)).body),
    deliver: async (jobId: string, response: string): Promise<z.infer<typeof completed>> => {
      const { status, body } = await report(jobId, { status: 'completed', result: { response } })
      if (status !== 200) throw new Error(`The deliverable was answered ${status}.`)
      return completed.parse(body)
    },
  }
}

/** An offering without inputs that accepts any text as deliverable. */
export const plain = (price: string, rest: Partial<AgentOffering> = {}): AgentOffering => ({
  id: 'plain',
  name: 'Write a haiku',
  description: 'Writes a short poem.',
  price,
  ...rest,
})

/** A deliverable schema with one required member. */
export const asksForPoem: JsonObject = { type: 'object', required: ['poem'], properties: { poem: { type: 'string' } } }

export const freshKey = () => ({ privateKey: generatePrivateKey() })

/** Hires an agent to write a haiku. @returns the id of the run */
export const hireForHaiku = async (user: User, handle: string): Promise<string> => {
  const { say } = talk(user)
  const { run_id } = await say(`Hire agent ${handle} to write a haiku`)
  await say('yes', 0)
  return run_id
}

/**
 * Deliverables without the required member, as JSON: plain text would be stored in it. Each is different, because an equal one
 * would end the job at once.
 */
export const lacking = ['one', 'two', 'three'].map(verse => JSON.stringify({ verse }))

/** Hires a poet, who hands in each deliverable in turn, and waits until the run rests. */
export const hirePoet = async (user: User, poet: Awaited<ReturnType<typeof provider>>, deliverables: string[]) => {
  const runId = await hireForHaiku(user, poet.handle)
  for (const it of deliverables) await poet.deliver((await poet.take()).job_id, it)
  const { job } = await rested(user, runId)
  return { runId, jobId: job?.job_id ?? '', state: job?.state }
}
