import { z } from 'zod'
import { type Address, type Hex, hex } from '../../../../src/domain/hex.ts'
import { toHeader } from '../../../../src/domain/x402/x402.ts'
import { paidCallRecord } from '../../../../src/features/x402Selling/paidCallRecord.ts'
import { payForOffering } from '../../../../src/features/x402Selling/payForCall.ts'
import { toPay } from '../chain/authorized.ts'
import { isMadeBy, type SignedTransfer, transfersOn } from '../chain/payments.ts'
import { places } from '../chain/places.ts'
import { stranger } from '../weather.ts'
import type { Answer, World } from '../world.ts'
import { cheatAtOnce } from './cheats.ts'
import type { Paying } from './payers.ts'
import { type Agent, isByUse } from './provider.ts'

/** A payment that was signed for a paid call, and its header. */
export type SignedPayment = SignedTransfer & { header: string }

/** One paid call that a stranger wants once, with every payment signed for it, the newest last. */
export type PaidAttempt = {
  payer: Address
  agentId: string
  body: string
  payments: SignedPayment[]
  /** The runs in the answers for each payment, by its header. */
  runs: Map<string, Set<string>>
  isOver: boolean
}

const attemptsOf = ({ world, payer }: Paying) => world.log.calls.filter(it => it.payer === payer.wallet)

/** Whether the payer has ever signed a payment. */
export const hasCall = (at: Paying): boolean => attemptsOf(at).length > 0

/** Begins a paid call of an agent, or goes on with one. */
export const actAsCaller = async (at: Paying): Promise<void> => {
  const { payer, random } = at
  const open = attemptsOf(at).filter(it => !it.isOver)
  if (open.length > 0 && random.chance(0.8)) return again(at, random.pick(open))
  if (payer.calls > 0) await begin(at)
}

const begin = async (at: Paying) => {
  const { world, payer, agents, random } = at
  const sellers = agents.filter(it => it.id && it.price > 0 && it.isListed)
  if (sellers.length === 0) return
  payer.calls -= 1
  const agent = random.pick(sellers)
  const attempt: PaidAttempt = {
    ...{ payer: payer.wallet, agentId: agent.id ?? '', payments: [], runs: new Map(), isOver: false },
    body: `a text about ${random.hex(6)}`,
  }
  world.log.calls.push(attempt)
  sign(at, attempt, agent)
  if (!payer.isHonest) cheatAtOnce(at, attempt)
  await again(at, attempt)
}

const usdc = 1e6

/** Signs like a standard client after a 402 answer. A dishonest one may sign a nonce again, for another agent. */
const sign = (at: Paying, attempt: PaidAttempt, agent: Agent) => {
  const { world, payer, random } = at
  const { faults, time, terms } = world.ground
  const earlier = attemptsOf(at).flatMap(it => it.payments)
  const isTwice = !payer.isHonest && faults.has(92) && earlier.length > 0 && random.chance(0.2)
  if (isTwice) faults.note(92, 'one nonce signed for two calls')
  const transfer: SignedTransfer = {
    from: attempt.payer,
    to: world.log.agentWallets.get(attempt.agentId) ?? places.outside,
    amount: BigInt(Math.round(agent.price * usdc)),
    nonce: isTwice ? random.pick(earlier).nonce : hex.parse(`0x${random.hex(64)}`),
    validBefore: Math.floor(time.clock.now() / 1_000) + 80 + random.int(100),
    isPermit: terms.permits === 'only' || isByUse(agent),
    ...(isByUse(agent) && { facilitator: places.treasury }),
  }
  attempt.payments.push({ ...transfer, header: toPaymentHeader(transfer) })
}

const toPaymentHeader = (it: SignedTransfer): string => {
  const payload = { signature: `0x${'22'.repeat(65)}`, ...(it.isPermit ? toPermit(it) : toAuthorization(it)) }
  const scheme = it.facilitator ? 'upto' : 'exact'
  return toHeader({ x402Version: 2, accepted: { scheme, network: 'eip155:97' }, payload })
}

const toAuthorization = ({ from, to, amount, nonce, validBefore }: SignedTransfer) => ({
  authorization: { from, to, value: `${amount}`, nonce, validAfter: '0', validBefore: `${validBefore}` },
})

const toPermit = ({ from, to, amount, nonce, validBefore, facilitator }: SignedTransfer) => ({
  permit2Authorization: {
    ...{
      from,
      spender: facilitator ? places.uptoProxy : places.permitProxy,
      nonce: `${BigInt(nonce)}`,
      deadline: `${validBefore}`,
    },
    ...{
      permitted: { token: places.usdc, amount: `${amount}` },
      witness: { to, ...(facilitator && { facilitator }), validAfter: '0' },
    },
  },
})

/** Repeats the request with the same payment, like a client that did not receive the answer; or misuses the payment. */
const again = async (at: Paying, attempt: PaidAttempt) => {
  const { world, random } = at
  const { faults } = world.ground
  const payment = attempt.payments.at(-1)
  if (!payment) return
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

type Sending = { payment: SignedPayment; body: { text: string } }

const call = (at: Paying, attempt: PaidAttempt, { payment, body }: Sending) => {
  const { world, random } = at
  const leaving = new AbortController()
  leaving.abort()
  const isOwn = body.text === attempt.body
  const isLost = random.chance(0.2)
  if (isLost) world.ground.faults.note(83, 'answer to a paid call lost')
  const input = { agent: attempt.agentId, offering_id: 'main', body }
  return world.ask({
    operation: payForOffering,
    ...{ input, payment: payment.header, signal: leaving.signal },
    heard: answer => {
      note(at, attempt, { answer, payment })
      if (!isLost && isOwn) follow(at, attempt, { answer, payment })
    },
  })
}

type Heard = { answer: Answer; payment: SignedPayment }

const note = ({ world }: Paying, attempt: PaidAttempt, { answer, payment }: Heard) => {
  const { data } = paidCallRecord.safeParse('value' in answer ? answer.value : undefined)
  if (!data) return
  const runs = attempt.runs.get(payment.header) ?? new Set()
  attempt.runs.set(payment.header, runs.add(data.run_id))
  if (data.state !== 'settled' && data.content !== '')
    world.log.scandals.push(`I15 ${data.payment_id} was delivered while ${data.state}`)
  // A reorganisation may remove a payment after its answer.
  if (data.state !== 'settled' || world.log.reorgs > 0) return
  const paid = findPaid(world, payment)
  // Nothing was used, so nothing was taken.
  if (payment.facilitator && data.amount === '0' && data.transaction === null && !paid) return
  if (!paid) return void world.log.scandals.push(`I15 ${data.payment_id} was delivered before it was paid`)
  if (data.transaction !== paid)
    world.log.scandals.push(`I15 the receipt of ${data.payment_id} names ${data.transaction}, it was paid by ${paid}`)
}

/** The transaction that made exactly this payment. */
const findPaid = ({ ground }: World, payment: SignedTransfer): Hex | undefined =>
  transfersOn(ground.chain).find(it => isMadeBy(it, payment))?.hash

const follow = (at: Paying, attempt: PaidAttempt, { answer, payment }: Heard) => {
  const { agents, random } = at
  if ('value' in answer && z.looseObject({ state: z.literal('settled') }).safeParse(answer.value).success) attempt.isOver = true
  if (!('problem' in answer)) return
  if (answer.problem === 'work-failed' || answer.problem === 'agent-not-found') attempt.isOver = true
  const agent = agents.find(it => it.id === attempt.agentId)
  // A standard client signs a new payment after a 402 answer to its newest one.
  if (answer.problem !== 'payment-required' || payment !== attempt.payments.at(-1) || !agent) return
  if (attempt.payments.length >= 3 || random.chance(0.2)) attempt.isOver = true
  else sign(at, attempt, agent)
}

/** A third party sends the transfer that the payer signed, once or twice. */
const sendOther = async ({ world, random }: Paying, payment: SignedPayment) => {
  world.ground.faults.note(86, 'transfer sent by somebody else')
  const count = 1 + random.int(2)
  for (let left = count; left > 0; left--) world.ground.chain.callFrom(stranger, toPay(payment))
}
