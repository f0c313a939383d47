import { z } from 'zod'
import { type Address, address, type Hex, hex } from '../../src/domain/hex.ts'
import type { Call, ChainEvent, ChainJob, Receipt } from '../../src/ports.ts'

const whole = z.coerce.bigint()
const ofJob = { chainJobId: whole, text: z.string() }
const toWallet = { to: address, amount: whole }

/** The action of a transaction, in place of encoded call data. */
const deed = z.discriminatedUnion('name', [
  z.object({
    name: z.literal('hire'),
    jobId: z.string(),
    client: address,
    provider: address,
    budget: whole,
    expiresAt: z.number(),
  }),
  z.object({ name: z.literal('submit'), ...ofJob }),
  z.object({ name: z.literal('complete'), ...ofJob }),
  z.object({ name: z.literal('completeUsed'), ...ofJob, used: whole }),
  z.object({ name: z.literal('reject'), ...ofJob }),
  z.object({ name: z.literal('claimRefund'), ...ofJob }),
  z.object({ name: z.literal('registerAgent'), ...toWallet }),
  z.object({ name: z.literal('topUp'), ...toWallet }),
  z.object({ name: z.literal('faucet'), ...toWallet }),
])
export type Deed = z.infer<typeof deed>

export type Sent = { sender: Address; nonce: number; deed: Deed; raw: Hex; hash: Hex }
type Block = { hash: Hex; timeMs: number; sent: Sent[] }

export const encodeCall = (to: Address, of: Deed): Call => {
  const text = JSON.stringify(of, (_key, value) => (typeof value === 'bigint' ? value.toString() : value))
  return { to, data: hex.parse(`0x${Buffer.from(text).toString('hex')}`), value: 0n, gas: 21_000n }
}
export const decodeCall = (data: string): Deed => deed.parse(JSON.parse(Buffer.from(data.slice(2), 'hex').toString()))

type Held = {
  counts: Map<Address, number>
  topUps: Map<Address, number>
  usdc: Map<Address, bigint>
  jobs: Map<bigint, ChainJob>
  agents: Map<Hex, bigint>
  events: ChainEvent[]
  receipts: Map<Hex, Receipt>
}
type Rules = { evaluator: Address; feeBps: number; refused: ReadonlySet<Deed['name']> }
type Emit = (event: Unplaced) => void
type Unplaced = ChainEvent extends infer E
  ? E extends ChainEvent
    ? Omit<E, 'txHash' | 'blockNumber' | 'blockHash' | 'logIndex'>
    : never
  : never

/** Computes the whole state from the first block, so that a removed block leaves no trace. */
export const replay = (blocks: Block[], rules: Rules): Held => {
  const held: Held = {
    counts: new Map(),
    topUps: new Map(),
    usdc: new Map(),
    jobs: new Map(),
    agents: new Map(),
    events: [],
    receipts: new Map(),
  }
  for (const [number, block] of blocks.entries()) {
    for (const [index, sent] of block.sent.entries()) {
      held.counts.set(sent.sender, sent.nonce + 1)
      const place = { blockNumber: BigInt(number), blockHash: block.hash }
      const emit: Emit = event => void held.events.push({ ...event, ...place, txHash: sent.hash, logIndex: held.events.length })
      const success = !rules.refused.has(sent.deed.name) && act(held, rules, { sent, emit })
      held.receipts.set(sent.hash, { ...place, hash: sent.hash, blockTime: block.timeMs, index, success })
    }
  }
  return held
}

const add = <K>(map: Map<K, bigint>, key: K, amount: bigint) => void map.set(key, (map.get(key) ?? 0n) + amount)

const act = (held: Held, rules: Rules, { sent, emit }: { sent: Sent; emit: Emit }): boolean => {
  const it = sent.deed
  if (it.name === 'hire') return hire(held, rules, { it, emit })
  if ('chainJobId' in it) return close(held, rules, { it, emit })
  if (it.name === 'topUp') held.topUps.set(it.to, (held.topUps.get(it.to) ?? 0) + 1)
  if (it.name === 'faucet') add(held.usdc, it.to, it.amount)
  if (it.name === 'registerAgent') held.agents.set(sent.hash, BigInt(held.agents.size + 1))
  return true
}

const hire = (held: Held, { evaluator }: Rules, { it, emit }: { it: Extract<Deed, { name: 'hire' }>; emit: Emit }): boolean => {
  if ((held.usdc.get(it.client) ?? 0n) < it.budget) return false
  const chainJobId = BigInt(held.jobs.size + 1)
  const { client, provider, budget, expiresAt } = it
  add(held.usdc, client, -budget)
  held.jobs.set(chainJobId, { client, provider, evaluator, budget, expiresAt, status: 'funded' })
  emit({ name: 'JobCreated', chainJobId, client, provider, jobKey: it.jobId })
  emit({ name: 'JobFunded', chainJobId, client, amount: budget })
  return true
}

type Closing = { it: Extract<Deed, { chainJobId: bigint }>; emit: Emit }

const close = (held: Held, { feeBps }: Rules, { it, emit }: Closing): boolean => {
  const { name, chainJobId } = it
  const job = held.jobs.get(chainJobId)
  if (!job || !(job.status === 'funded' || (job.status === 'submitted' && name !== 'submit'))) return false
  if (name === 'submit') {
    job.status = 'submitted'
    emit({ name: 'JobSubmitted', chainJobId, deliverable: '0x' })
  } else if (name === 'complete' || name === 'completeUsed') {
    job.status = 'completed'
    const used = name === 'complete' ? job.budget : it.used
    const amount = used - (used * BigInt(feeBps)) / 10_000n
    add(held.usdc, job.provider, amount)
    add(held.usdc, job.client, job.budget - used)
    emit({ name: 'PaymentReleased', chainJobId, provider: job.provider, amount })
    if (name === 'completeUsed') emit({ name: 'UnusedReturned', chainJobId, client: job.client, amount: job.budget - used })
  } else {
    job.status = name === 'reject' ? 'rejected' : 'expired'
    add(held.usdc, job.client, job.budget)
    emit({ name: 'Refunded', chainJobId, client: job.client, amount: job.budget })
  }
  return true
}
