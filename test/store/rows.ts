import type { Address, Hex } from '../../src/domain/hex.ts'
import type { Offering } from '../../src/domain/offerings/offering.ts'
import { book } from '../../src/operations/ledger/bookings.ts'
import type { Job, NewIntent, Tables } from '../../src/ports.ts'

/** An address made from a small number. */
export const account = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`
export const hash = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`

export const user = account(0xa11ce)
export const chainId = 97
export const agentKey = `${chainId}:scribe`
export const agentId = `${chainId}:${account(0x8004)}:7`

export const newAgent = { key: agentKey, chainId, handle: 'scribe', owner: account(1), wallet: account(2), name: 'Scribe' }

export const addAgent = (store: Tables, over: Partial<Parameters<Tables['addAgent']>[0]> = {}) =>
  store.addAgent({ ...newAgent, description: 'Writes things down.', endpointUrl: undefined, viaGateway: true, card: {}, ...over })

export const offering = (over: Partial<Offering> = {}): Offering => ({
  id: 'notes',
  name: 'Notes',
  description: 'Turns a talk into notes.',
  price: '1.5',
  jobInput: 'A talk',
  jobOutput: 'Notes',
  requirement: { type: 'object', properties: { talk: { type: 'string' } } },
  deliverable: {},
  slaMinutes: 10,
  requiredFunds: false,
  restricted: false,
  hide: false,
  active: true,
  ...over,
})

export const addRun = (store: Tables, id = 'run-1') =>
  store.addRun({ id, conversationId: `talk-of-${id}`, user, chainId, task: 'Take notes of my talk' })

type NewJob = Parameters<Tables['addJob']>[0]

const minute = 60_000

/** A job with ten minutes until its submission deadline. With a negative `leaseMs` every lease has already expired. */
export const newJob = (
  runId: string,
  over: Partial<NewJob['deadlines']> & Partial<Pick<NewJob, 'agentId' | 'id' | 'chainId'>> = {},
): NewJob => {
  const { agentId: agent = agentId, id = `job-of-${runId}`, chainId: on = chainId, ...deadlines } = over
  const now = Date.now()
  const times = {
    pickupBy: now + minute,
    // The promised ten minutes, and one for the confirmation of the escrow.
    submitBy: now + 11 * minute,
    evaluateBy: now + 16 * minute,
    expiresAt: now + 20 * minute,
  }
  const terms = {
    chainId: on,
    agentId: agent,
    agentHandle: 'scribe',
    offeringId: 'notes',
    offeringName: 'Notes',
    offeringVersion: 1,
  }
  return {
    id,
    runId,
    agentId: agent,
    agentWallet: account(2),
    chainId: on,
    user,
    userWallet: account(3),
    terms: { ...terms, input: '{"talk":"…"}', price: '1.5', fee: '0.15', total: '1.5', slaMinutes: 10 },
    offering: offering(),
    checklist: [],
    // More digits than a double holds: 18 decimals.
    budget: 1_500_000_000_000_000_001n,
    fee: 150_000_000_000_000_000n,
    deadlines: { ...times, leaseMs: minute, ...deadlines },
  }
}

let onChain = 0n

/** Adds a run with a queued job. Its deadlines are kept, as those of a job whose events are read again. */
export const addQueuedJob = async (store: Tables, runId = 'run-1', over: Parameters<typeof newJob>[1] = {}) => {
  await addRun(store, runId)
  const job = await store.addJob(newJob(runId, over))
  if (!job) throw new Error('the run had a job already')
  onChain += 1n
  await store.moveJob(job.id, 'fund', { chainJobId: onChain, isReread: true })
  await store.moveJob(job.id, 'queue')
  return job.id
}

/** Adds jobs of an agent that were paid the given amounts. `booked` is called after each payment. */
export const addPaidJobs = async (
  store: Tables,
  amounts: bigint[],
  over: Partial<Pick<NewJob, 'agentId'>> & { booked?: (job: Job, at: number) => Promise<void> } = {},
) => {
  const { booked, ...more } = over
  for (const [at, amount] of amounts.entries()) {
    const runId = `paid-${at}`
    await addRun(store, runId)
    const job = await store.addJob(newJob(runId, more))
    if (!job) throw new Error('the run had a job already')
    await store.moveJob(job.id, 'cancel')
    const legs: [string, bigint][] = [
      ['escrow', -amount],
      [`wallet:${job.agentWallet}`, amount],
    ]
    await book(store, job, { step: 'payout', txHash: hash(at), legs })
    await booked?.(job, at)
  }
}

export const sender = account(0x5e4d)

export const newIntent = (key: string, after?: string): NewIntent => ({
  key,
  chainId,
  sender,
  call: { to: account(0xe5c), data: '0xabcdef', value: 2n ** 70n, gas: 21_000n },
  after,
})

export const signed = (number: number, nonce: number) => ({ hash: hash(number), raw: hash(number), nonce })
export const minedAt = (block: number, index = 0) => ({ blockNumber: BigInt(block), blockTime: block * 1000, index })

export const countUp = (count: number) => Array.from({ length: count }, (_, at) => at)

/** What a sender has sent and is not mined. */
export const inFlight = async ({ activeSenders }: Pick<Tables, 'activeSenders'>, of: number, sender: Address) =>
  (await activeSenders(of)).find(it => it.sender === sender)?.flights ?? []
