import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { address } from '../../../src/domain/hex.ts'
import type { Authorization } from '../../../src/domain/x402/x402.ts'
import { ask, plain, provider } from '../../hire/market.ts'
import { startTestService, type TestService, until } from '../../service.ts'
import { type Buyer, createBuyer, toPaymentHeader } from './buyer.ts'

let market: TestService
let poet: Awaited<ReturnType<typeof provider>>
beforeAll(async () => {
  market = await startTestService()
  poet = await provider(market, plain('0.5'))
})
afterAll(() => market?.stop())

const price = 500_000n
const lower = (text: string) => address.parse(text.toLowerCase())
const terms = () => ({ to: lower(poet.wallet), value: price })
const pay = (header: string) =>
  ask(market, `/x402/agents/${poet.handle}/offerings/plain`, {
    headers: { 'payment-signature': header },
    body: { message: 'write' },
  })
const chain = () => {
  const it = market.service.world.deps.chains.get(97)
  if (!it?.authorized) throw new Error('no chain')
  return { ...it, authorized: it.authorized }
}
const held = (of: string) => chain().usdcBalance(lower(of))
const refusal = z.looseObject({ detail: z.string() })

/** Sends a signed transfer through the treasury; resolves with its transaction when it is mined. */
const send = async (transfer: Authorization) => {
  const { store } = market.service.world.deps
  const { authorized, treasury } = chain()
  const key = `test:${transfer.from}:${transfer.nonce}:${transfer.value}`
  await store.addIntents([{ key, chainId: 97, sender: treasury, call: authorized.transfer(transfer), after: undefined }])
  return until('the transfer', async () => {
    const intent = await store.intent(key)
    return intent?.state === 'confirmed' ? intent.hash : undefined
  })
}

const counted = z.looseObject({ stats: z.looseObject({ completed_jobs: z.number(), total_revenue: z.number() }) })
/** What the market says that the agent earned and finished, and what its wallet holds. */
const earned = async () => {
  const of = { url: market.url, token: poet.token }
  const { body: earnings } = await ask(of, `/agents/${poet.agentId}/earnings?starts=2026-01-01T00:00:00Z`)
  const agent = counted.parse((await ask(of, `/agents/${poet.agentId}`)).body)
  const { completed_jobs, total_revenue } = agent.stats
  return { earnings, completed_jobs, total_revenue, wallet: await held(poet.wallet) }
}

const runsOf = z.object({ runs: z.array(z.object({ run_id: z.string() })) })
/** Everything that the payer can read of the call. */
const readAll = async ({ client, wallet }: Buyer) => {
  const { runs } = runsOf.parse(await client.get(`/users/${wallet}/runs`))
  const pages = runs.flatMap(({ run_id: id }) => [`/runs/${id}`, `/runs/${id}/events`, `/runs/${id}/payments`])
  return JSON.stringify(await Promise.all(pages.map(it => client.get(it))))
}

test.each<[string, (cheat: Buyer) => Partial<Authorization>]>([
  ['to itself, of nothing', cheat => ({ to: lower(cheat.wallet), value: 0n })],
  ['to itself, of the price', cheat => ({ to: lower(cheat.wallet), value: price })],
  ['to another wallet, of all its money', cheat => ({ to: lower(cheat.proxy), value: 5_000_000n })],
  ['to the agent, of less than the price', () => ({ value: 1n })],
])('a payer who spends the nonce during the work on a transfer %s has not paid and gets no work', async (_name, twin) => {
  const cheat = await createBuyer(market, `cheat-${crypto.randomUUID()}`)
  const before = await earned()
  const signed = await cheat.sign(terms())
  const answer = pay(toPaymentHeader(signed))
  const { job_id } = await poet.take()
  const other = { ...terms(), ...twin(cheat) }
  await send(await cheat.sign({ ...other, nonce: signed.nonce }))
  await poet.deliver(job_id, 'An old silent pond')
  const { status, code, body } = await answer
  expect({ status, code }).toEqual({ status: 402, code: 'payment-required' })
  expect(JSON.stringify(body)).not.toContain('silent pond')
  expect(refusal.parse(body).detail).toContain('used its nonce for another transfer')
  expect(refusal.parse(body).detail).not.toMatch(/are in the agent wallet/)
  const gift = other.to === lower(poet.wallet) ? other.value : 0n
  expect(await earned()).toEqual({ ...before, wallet: before.wallet + gift })
  const told = await readAll(cheat)
  expect(told).not.toMatch(/silent pond|are in the agent wallet|payment\.settled/)
  // The same request gets the same answer, and no work.
  expect(await pay(toPaymentHeader(signed))).toMatchObject({ status: 402, code: 'payment-required' })
})
