import { z } from 'zod'
import { type Address, address, type Hex, hex } from '../../../../src/domain/hex.ts'
import { sha256 } from '../../../../src/domain/json.ts'
import type { ChainJob } from '../../../../src/ports.ts'
import { launchpadCalls, runLaunchpad } from './launchpad.ts'
import { places } from './places.ts'
import { type At, moveUsdc, Reverted, require, useAllowance } from './rules.ts'
import type { EscrowJob, GivenFeedback } from './state.ts'

// The rules of ERC-8183 as implemented in src/chain/contracts/JobEscrow.sol, without bytecode.

const minLifetimeSeconds = 300
const maxLifetimeSeconds = 365 * 86_400
const evaluationGraceSeconds = 3_600
const allBps = 10_000n

const chainJobId = z.string().transform(it => BigInt(it))
const terms = z.object({
  client: address,
  provider: address,
  evaluator: address,
  expiredAt: z.number(),
  jobKey: z.string(),
  budget: z.string().transform(it => BigInt(it)),
})

/** The contract calls of the model, encoded as JSON in the call's data. */
export const contractCall = z.discriminatedUnion('name', [
  z.object({ name: z.literal('hire'), terms }),
  z.object({ name: z.literal('create'), terms }),
  z.object({ name: z.literal('submit'), chainJobId, deliverable: z.string() }),
  z.object({ name: z.literal('complete'), chainJobId }),
  z.object({ name: z.literal('completeUsed'), chainJobId, used: z.string().transform(it => BigInt(it)) }),
  z.object({ name: z.literal('reject'), chainJobId }),
  z.object({ name: z.literal('claimRefund'), chainJobId }),
  z.object({ name: z.literal('register'), owner: address, wallet: address }),
  z.object({
    name: z.literal('feedback'),
    agentNumber: z.string().transform(it => BigInt(it)),
    value: z.number(),
    uri: z.string(),
    fileHash: z.string(),
  }),
  z.object({
    name: z.literal('validationRequest'),
    agentNumber: z.string().transform(it => BigInt(it)),
    requestHash: z.string(),
  }),
  z.object({ name: z.literal('validationResponse'), requestHash: z.string(), response: z.number() }),
  z.object({
    name: z.literal('pay'),
    ...{ from: address, to: address, nonce: hex, validBefore: z.number(), isPermit: z.boolean() },
    amount: z.string().transform(it => BigInt(it)),
    // In the scheme `upto`: who may take at most the signed amount.
    facilitator: address.optional(),
    most: z
      .string()
      .transform(it => BigInt(it))
      .optional(),
  }),
  z.object({ name: z.literal('cancel'), from: address, nonce: hex, isPermit: z.boolean() }),
  ...launchpadCalls,
  z.object({ name: z.literal('transfer'), to: address, amount: z.string().transform(it => BigInt(it)) }),
])
export type ContractCall = z.input<typeof contractCall>

/**
 * Executes a call.
 * @throws Reverted when a rule of the contract forbids it
 */
export const runCall = (at: At, call: z.output<typeof contractCall>): void => {
  switch (call.name) {
    case 'hire':
      return void hire(at, call.terms)
    case 'create':
      return void create(at, { terms: call.terms, status: 'open' })
    case 'submit':
      return void submit(at, call.chainJobId, call.deliverable)
    case 'complete':
      return void complete(at, call.chainJobId)
    case 'completeUsed':
      return void complete(at, call.chainJobId, call.used)
    case 'reject':
      return void reject(at, call.chainJobId)
    case 'claimRefund':
      return void claimRefund(at, call.chainJobId)
    case 'transfer':
      return void moveUsdc(at, { from: at.sender, to: call.to, amount: call.amount })
    case 'pay':
      return void pay(at, call)
    case 'cancel':
      return void cancel(at, call)
    case 'feedback':
      return void giveFeedback(at, call)
    case 'validationRequest':
      return void requestValidation(at, call)
    case 'validationResponse':
      return void respond(at, call)
    case 'register':
      return void register(at, call)
    default:
      return void runLaunchpad(at, call)
  }
}

const register = ({ journal }: At, { owner, wallet }: { owner: Address; wallet: Address }) => {
  const { identities } = journal.state
  journal.put(identities, BigInt(identities.size + 1), { owner, wallet })
}

const giveFeedback = ({ journal, sender }: At, { name: _name, ...given }: Omit<GivenFeedback, 'client'> & { name: string }) => {
  const { feedback, identities } = journal.state
  require(identities.has(given.agentNumber), 'no such agent')
  journal.put(feedback, feedback.size + 1, { ...given, client: sender })
}

const requestValidation = (at: At, { agentNumber, requestHash }: { agentNumber: bigint; requestHash: string }) => {
  const { validations, identities } = at.journal.state
  require(identities.get(agentNumber)?.wallet === at.sender, 'not the wallet of the agent')
  require(!validations.has(requestHash), 'request exists')
  at.journal.put(validations, requestHash, { agentNumber, responses: [] })
}

const respond = (at: At, { requestHash, response }: { requestHash: string; response: number }) => {
  const { validations } = at.journal.state
  const asked = validations.get(requestHash)
  if (!asked) throw new Reverted('no such request')
  require(at.sender === at.evaluator, 'not the validator')
  at.journal.put(validations, requestHash, { ...asked, responses: [...asked.responses, response] })
}

type Nonce = { from: Address; nonce: Hex; isPermit: boolean }
type Pay = Nonce & {
  to: Address
  validBefore: number
  amount: bigint
  facilitator?: Address | undefined
  most?: bigint | undefined
}

/** Name of an authorization of the token among the used ones. */
export const payKey = ({ from, nonce }: { from: string; nonce: string }): string => `pay:${from}:${nonce}`

/**
 * A signed transfer, which anyone may send and which uses its nonce: `transferWithAuthorization` of the token (EIP-3009), or the same
 * by Permit2, which takes it out of its allowance. In the scheme `upto` only the facilitator sends it, and takes a part.
 */
const pay = (at: At, call: Pay) => {
  const { journal, seconds } = at
  require(!journal.state.used.has(payKey(call)), 'authorization used')
  require(seconds < call.validBefore, 'authorization expired')
  require(call.facilitator === undefined || call.facilitator === at.sender, 'not the facilitator')
  require(call.most === undefined || call.amount <= call.most, 'above the signed amount')
  journal.put(journal.state.used, payKey(call), true)
  if (call.isPermit) useAllowance(at, places.usdc, { spender: places.permit2, owner: call.from, amount: call.amount })
  else at.emit({ name: 'AuthorizationUsed', authorizer: call.from, nonce: call.nonce })
  moveUsdc(at, call)
}

/** A payer takes a nonce back: `cancelAuthorization` of the token, or `invalidateUnorderedNonces` of Permit2. */
const cancel = ({ journal, emit }: At, { from, nonce, isPermit }: Nonce) => {
  require(!journal.state.used.has(payKey({ from, nonce })), 'authorization used')
  journal.put(journal.state.used, payKey({ from, nonce }), true)
  if (!isPermit) emit({ name: 'AuthorizationCanceled', authorizer: from, nonce })
}

type Terms = z.output<typeof terms>

export const authorizationOf = (agreed: Terms): string => sha256(JSON.stringify({ ...agreed, budget: String(agreed.budget) }))

const hire = (at: At, agreed: Terms) => {
  const { journal, tell } = at
  // The authorization's nonce is the hash of the terms. Anyone may send it, and the token accepts it once.
  const authorization = authorizationOf(agreed)
  require(!journal.state.used.has(authorization), 'authorization used')
  require(agreed.budget > 0n, 'no budget')
  journal.put(journal.state.used, authorization, true)
  at.emit({ name: 'AuthorizationUsed', authorizer: agreed.client, nonce: `0x${authorization}` })
  const id = create(at, { terms: agreed, status: 'funded' })
  moveUsdc(at, { from: agreed.client, to: at.escrow, amount: agreed.budget })
  tell({ name: 'JobFunded', chainJobId: id, client: agreed.client, amount: agreed.budget })
}

const create = (at: At, { terms, status }: { terms: Terms; status: ChainJob['status'] }): bigint => {
  const { journal, seconds, tell } = at
  const { client, provider, evaluator, expiredAt, jobKey, budget } = terms
  require(provider !== evaluator, 'provider is evaluator')
  require(expiredAt > seconds + minLifetimeSeconds && expiredAt <= seconds + maxLifetimeSeconds, 'expiry out of range')
  const id = BigInt(journal.state.jobs.size + 1)
  const job: EscrowJob = { client, provider, evaluator, budget, expiredAt, jobKey, status, submittedAt: 0, deliverable: '' }
  journal.put(journal.state.jobs, id, job)
  tell({ name: 'JobCreated', chainJobId: id, client, provider, jobKey })
  return id
}

const submit = (at: At, id: bigint, deliverable: string) => {
  const job = jobIn(at, id, ['funded'])
  require(at.sender === job.provider, 'not the provider')
  require(at.seconds < job.expiredAt, 'past expiry')
  set(at, id, { ...job, status: 'submitted', submittedAt: at.seconds, deliverable })
  at.tell({ name: 'JobSubmitted', chainJobId: id, deliverable: `0x${sha256(deliverable)}` })
}

/** @param part what was used of a usage price, whose rest goes back; absent for a fixed price */
const complete = (at: At, id: bigint, part?: bigint) => {
  const job = jobIn(at, id, ['submitted'])
  const { client, provider, budget } = job
  const used = part ?? budget
  require(at.sender === job.evaluator, 'not the evaluator')
  require(used <= budget, 'used above budget')
  const fee = (used * at.feeBps) / allBps
  set(at, id, { ...job, status: 'completed', ...(part !== undefined && { used }) })
  if (used > 0n) moveUsdc(at, { from: at.escrow, to: provider, amount: used - fee })
  if (fee > 0n) moveUsdc(at, { from: at.escrow, to: at.treasury, amount: fee })
  if (used < budget) moveUsdc(at, { from: at.escrow, to: client, amount: budget - used })
  at.tell({ name: 'PaymentReleased', chainJobId: id, provider, amount: used - fee })
  if (part !== undefined) at.tell({ name: 'UnusedReturned', chainJobId: id, client, amount: budget - used })
}

const reject = (at: At, id: bigint) => {
  const job = jobIn(at, id, ['open', 'funded', 'submitted'])
  const isOpen = job.status === 'open'
  require(at.sender === (isOpen ? job.client : job.evaluator), 'not the judge')
  set(at, id, { ...job, status: 'rejected' })
  if (!isOpen) refund(at, id, job)
}

const claimRefund = (at: At, id: bigint) => {
  const job = jobIn(at, id, ['funded', 'submitted'])
  require(at.seconds >= refundableFrom(job), 'not refundable yet')
  set(at, id, { ...job, status: 'expired' })
  refund(at, id, job)
}

/** Epoch seconds from which a funded job can be refunded. */
export const refundableFrom = ({ status, expiredAt, submittedAt }: EscrowJob): number =>
  status === 'funded' ? expiredAt : Math.max(expiredAt, submittedAt + evaluationGraceSeconds)

const refund = (at: At, id: bigint, { client, budget }: EscrowJob) => {
  moveUsdc(at, { from: at.escrow, to: client, amount: budget })
  at.tell({ name: 'Refunded', chainJobId: id, client, amount: budget })
}

const jobIn = ({ journal }: At, id: bigint, statuses: ChainJob['status'][]): EscrowJob => {
  const job = journal.state.jobs.get(id)
  if (!job || !statuses.includes(job.status)) throw new Reverted(`job ${id} is ${job?.status ?? 'unknown'}`)
  return job
}

const set = ({ journal }: At, id: bigint, job: EscrowJob) => journal.put(journal.state.jobs, id, job)
