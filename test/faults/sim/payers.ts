import { z } from 'zod'
import { type Address, type Hex, hex } from '../../../src/domain/hex.ts'
import { readPaymentHeader, toHeader } from '../../../src/domain/x402.ts'
import { paidCallRecord } from '../../../src/operations/paidCalls/paidCallRecord.ts'
import { payForOffering } from '../../../src/operations/paidCalls/payForCall.ts'
import { confirmPurchase, readPurchase } from '../../../src/operations/purchases/confirmPurchase.ts'
import { proposePurchase } from '../../../src/operations/purchases/proposePurchase.ts'
import { toPay } from './chain/authorized.ts'
import { payKey } from './chain/contracts.ts'
import { addressOf, places } from './chain/places.ts'
import type { Agent } from './provider.ts'
import type { Random } from './random.ts'
import { stranger } from './weather.ts'
import type { Answer, World } from './world.ts'

/** One paid call that a stranger wants once, with every authorization signed for it. */
export type PaidAttempt = {
  payer: Address
  agentId: string
  body: string
  headers: string[]
  nonces: Hex[]
  /** The runs in the answers for each nonce. */
  runs: Map<string, Set<string>>
  isOver: boolean
}

/** A payer by x402: a stranger for calls of agents, and a user with a custodial wallet for outside resources. */
export type Payer = { wallet: Address; user: Address | undefined; calls: number; purchases: number; bought: Purchase[] }
type Purchase = { id: string; digest: string; state: string }

type Acting = { world: World; payer: Payer; agents: Agent[]; random: Random }

export const createPayer = (name: string, user: Address | undefined, random: Random): Payer => ({
  ...{ wallet: addressOf(name), user, calls: 1 + random.int(4), purchases: 1 + random.int(3), bought: [] },
})

const usdc = 1e6

/** Performs the next action of a payer. */
export const actPayer = async (at: Acting): Promise<void> => {
  const { world, payer, random } = at
  // A purchase counts as paid after the confirmations of its chain, and deeper reorganisations are not followed.
  const mayBuy = payer.user !== undefined && ![26, 27, 85, 88].some(it => world.ground.faults.has(it))
  if (mayBuy && random.chance(0.5)) return buy(at)
  const open = world.log.calls.filter(it => it.payer === payer.wallet && !it.isOver)
  if (open.length > 0 && random.chance(0.8)) return again(at, random.pick(open))
  if (payer.calls > 0) await begin(at)
}

const begin = async (at: Acting) => {
  const { world, payer, agents, random } = at
  const sellers = agents.filter(it => it.id && it.price > 0 && it.isListed)
  if (sellers.length === 0) return
  payer.calls -= 1
  const agent = random.pick(sellers)
  const attempt: PaidAttempt = {
    ...{ payer: payer.wallet, agentId: agent.id ?? '', headers: [], nonces: [], runs: new Map(), isOver: false },
    body: `a text about ${random.hex(6)}`,
  }
  world.log.calls.push(attempt)
  sign(at, attempt, agent)
  await again(at, attempt)
}

/** Signs like a standard client after a 402 answer. */
const sign = ({ world, random }: Acting, attempt: PaidAttempt, { price }: Agent) => {
  const nonce = hex.parse(`0x${random.hex(64)}`)
  const validBefore = Math.floor(world.ground.time.clock.now() / 1_000) + 80 + random.int(100)
  const to = world.log.agentWallets.get(attempt.agentId) ?? places.outside
  const terms = { from: attempt.payer, to, value: String(Math.round(price * usdc)), nonce, validBefore: String(validBefore) }
  const signed = world.ground.terms.permits === 'only' ? toPermit(terms) : { authorization: { ...terms, validAfter: '0' } }
  const payload = { signature: `0x${'22'.repeat(65)}`, ...signed }
  attempt.nonces.push(nonce)
  attempt.headers.push(toHeader({ x402Version: 2, accepted: { scheme: 'exact', network: 'eip155:97' }, payload }))
}

type Signed = { from: Address; to: Address; value: string; nonce: Hex; validBefore: string }

const toPermit = ({ from, to, value: amount, nonce, validBefore: deadline }: Signed) => ({
  permit2Authorization: {
    ...{ from, spender: places.permitProxy, nonce: `${BigInt(nonce)}`, deadline },
    ...{ permitted: { token: places.usdc, amount }, witness: { to, validAfter: '0' } },
  },
})

/** Repeats the request with the same payment, like a client that did not receive the answer; or misuses the payment. */
const again = async (at: Acting, attempt: PaidAttempt) => {
  const { world, random } = at
  const { faults } = world.ground
  const payment = attempt.headers.at(-1) ?? ''
  if (random.chance(0.06)) return sendOther(at, payment)
  const count = random.chance(0.15) ? 2 : 1
  if (count > 1) faults.note(75, 'one payment twice at once')
  const requests = Array.from({ length: count }, () => call(at, attempt, { payment, body: { text: attempt.body } }))
  if (random.chance(0.1)) {
    faults.note(75, 'one payment for another request')
    requests.push(call(at, attempt, { payment, body: { text: `another ${attempt.body}` } }))
  }
  await world.go(...requests)
}

type Sending = { payment: string; body: { text: string } }

const call = (at: Acting, attempt: PaidAttempt, { payment, body }: Sending) => {
  const { world, random } = at
  const leaving = new AbortController()
  leaving.abort()
  const isOwn = body.text === attempt.body
  const isLost = random.chance(0.2)
  if (isLost) world.ground.faults.note(83, 'answer to a paid call lost')
  const input = { agent: attempt.agentId, offering_id: 'main', body }
  return world.ask({
    operation: payForOffering,
    ...{ input, payment, signal: leaving.signal },
    heard: answer => {
      note(at, attempt, { answer, payment })
      if (!isLost && isOwn) follow(at, attempt, { answer, payment })
    },
  })
}

type Heard = { answer: Answer; payment: string }

const note = ({ world }: Acting, attempt: PaidAttempt, { answer, payment }: Heard) => {
  const { data } = paidCallRecord.safeParse('value' in answer ? answer.value : undefined)
  const nonce = readPaymentHeader(payment)?.authorization.nonce
  if (!data || !nonce) return
  const runs = attempt.runs.get(nonce) ?? new Set()
  attempt.runs.set(nonce, runs.add(data.run_id))
  const { state } = world.ground.chain
  const isUsed = state.used.has(payKey({ from: attempt.payer, nonce }))
  if (data.state !== 'settled' && data.content !== '')
    world.log.scandals.push(`I15 ${data.payment_id} was delivered while ${data.state}`)
  if (data.state === 'settled' && !isUsed && world.log.reorgs === 0)
    world.log.scandals.push(`I15 ${data.payment_id} was delivered before it was paid`)
}

const follow = (at: Acting, attempt: PaidAttempt, { answer, payment }: Heard) => {
  const { agents, random } = at
  if ('value' in answer && z.looseObject({ state: z.literal('settled') }).safeParse(answer.value).success) attempt.isOver = true
  if (!('problem' in answer)) return
  if (answer.problem === 'work-failed' || answer.problem === 'agent-not-found') attempt.isOver = true
  const agent = agents.find(it => it.id === attempt.agentId)
  // A standard client signs a new payment after a 402 answer to its newest one.
  if (answer.problem !== 'payment-required' || payment !== attempt.headers.at(-1) || !agent) return
  if (attempt.nonces.length >= 3 || random.chance(0.2)) attempt.isOver = true
  else sign(at, attempt, agent)
}

/** A third party sends the transfer that the payer signed, once or twice. */
const sendOther = async ({ world, random }: Acting, payment: string) => {
  const { authorization, permit } = readPaymentHeader(payment) ?? {}
  if (!authorization) return
  world.ground.faults.note(86, 'transfer sent by somebody else')
  const count = 1 + random.int(2)
  for (let left = count; left > 0; left--) world.ground.chain.callFrom(stranger, toPay(authorization, permit !== undefined))
}

const record = z.looseObject({ purchase_id: z.string(), digest: z.string(), state: z.string() })

const buy = async ({ world, payer, random }: Acting) => {
  const wallet = payer.user
  const keep = (answer: Answer) => {
    const { data } = record.safeParse('value' in answer ? answer.value : undefined)
    if (!data) return
    const kept = payer.bought.find(it => it.id === data.purchase_id)
    if (kept) kept.state = data.state
    else payer.bought.push({ id: data.purchase_id, digest: data.digest, state: data.state })
  }
  const open = payer.bought.filter(it => it.state === 'proposed' || it.state === 'paying')
  if (open.length === 0) {
    if (payer.purchases === 0) return
    payer.purchases -= 1
    const input = { url: `https://seller.example/${random.hex(6)}`, body: { text: 'words' } }
    return world.go(world.ask({ operation: proposePurchase, input, wallet, heard: keep }))
  }
  const { id: purchase_id, digest, state } = random.pick(open)
  if (state === 'paying') return world.go(world.ask({ operation: readPurchase, input: { purchase_id }, wallet, heard: keep }))
  const input = { purchase_id, digest, decision: random.chance(0.9) ? 'yes' : 'no', wait_ms: 0 }
  const count = random.chance(0.2) ? 2 : 1
  await world.go(...Array.from({ length: count }, () => world.ask({ operation: confirmPurchase, input, wallet, heard: keep })))
}
