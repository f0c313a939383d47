import { z } from 'zod'
import type { Grant, Scope } from '../domain/access/scopes.ts'
import type { AgentId } from '../domain/agents/agentId.ts'
import { anyChainId, chainId, chainOfQuery, defaultChainId, toPreselectedChain, toTestChain } from '../domain/chains/chains.ts'
import type { Address } from '../domain/hex.ts'
import { isObject, json } from '../domain/json.ts'
import type { Finding } from '../domain/offerings/diagnosis.ts'
import { Problem, ScopeProblem } from '../domain/problem.ts'
import { parseOrFault } from '../domain/schemas/inputFaults.ts'
import type {
  Certificate,
  Chain,
  Clock,
  Gateway,
  Ids,
  LaunchedToken,
  RecoverSigner,
  ReserveKind,
  ResourceClient,
  Search,
  Store,
  Wakeups,
  Wallets,
  WorkIndex,
} from '../ports.ts'
import type { Completed, Completion, Delivery } from '../records/delivery.ts'
import type { JobRecord } from '../records/postedJob.ts'
import { checkTexts } from './checkTexts.ts'
import { checkSame, once, type RequestKey, toRequestKey } from './once.ts'
import type { RunFeeds } from './runFeeds.ts'
import type { Turns } from './turns.ts'

/**
 * The caller. The wallet comes only from a verified token, the agent only from a verified secret. The signal aborts when the
 * caller disconnects.
 */
export type Caller = {
  wallet: Address | undefined
  /** The bearer token itself, needed to revoke it. */
  token?: string | undefined
  agentKey?: string | undefined
  /** Network address, or its /64 for IPv6. Undefined for requests of this machine itself, that is a proxy or the operator. */
  source?: string | undefined
  idempotencyKey?: string | undefined
  /** The If-Match header: the entity tags for which a change applies. */
  ifMatch?: string | undefined
  /** The A2A-Version header: the protocol version of a request to an agent. */
  a2aVersion?: string | undefined
  /** The x402 payment of the request, as sent in its header. */
  payment?: string | undefined
  /** What a program may do for its user. Undefined for a person, who may do everything. */
  scopes?: readonly Scope[] | undefined
  /** The caller may be a model: it may ask for everything, but its yes to a payment or a budget does not count. */
  asksOnly?: boolean | undefined
  signal?: AbortSignal | undefined
  /** Charges work after the response, in ms, to the event loop time of the caller's network address. */
  charge?(ms: number): void
  /** Names the run that the request is about, for the log and the trace. */
  onRun?(runId: string): void
  /** Adds a warning to the response, for the client's log. */
  warn?(text: string): void
}

/** Settings that are fixed at the start. */
export type Settings = {
  /** Base URL under which clients reach this service. */
  publicUrl: string
  /** Local world: demo wallets and test USDC are available. */
  local: boolean
  /** Id of the language model, or `rules`. */
  model: string
  /** Test USDC for a new user of the local world, decimal text. */
  faucet: string
  /** Whether agents may use endpoints in private networks. */
  allowsPrivate: boolean
}

/** Authentication of users (specification, Identity provider). */
export type Identity = {
  begin(): Promise<{ code: string }>
  /**
   * @throws Problem not-found for an unknown code
   * @throws Problem signature-mismatch
   */
  approve(of: {
    code: string
    wallet: Address
    signer: Address | undefined
    /** Whether the program that started the session also gets a token, through GET /v1/status. */
    handOver?: boolean
  }): Promise<Issued>
  /** The text to sign for a session that waits for approval. */
  messageOf(code: string, wallet: Address): Promise<string>
  /** @throws Problem invalid-token, token-expired */
  verify(token: string): Promise<Address>
  /** Whether `limitToAsking` was called for the token, in any process. */
  asksOnly(token: string): Promise<boolean>
  /** Takes from a token, for the rest of its life, the power to say yes. */
  limitToAsking(token: string): Promise<void>
  /** What the program that holds a token may do; undefined for the token of a person. */
  grantOf(token: string): Promise<Grant | undefined>
}

type Issued = { token: string; expiresAt: number }

/** A registration as named in a signed text. */
export type Registering = { wallet: Address; chainId: number; handle: string; bodyHash: string }

/** Further functions of the identity provider: claiming and revoking tokens, and fresh proofs of a wallet. */
export type Access = {
  /**
   * The token of an approved session, once; undefined before its approval.
   * @throws Problem not-found
   */
  claim(code: string): Promise<Issued | undefined>
  /** A token that lives for a day. */
  issueForADay(wallet: Address): Promise<Issued>
  revokeOne(token: string): Promise<void>
  revokeAll(wallet: Address): Promise<void>
  publicKeys(): Promise<{ kty: string; crv: string; x: string; y: string; kid: string; alg: string; use: string }[]>
  /** An EIP-4361 text for exactly this registration, valid for five minutes and one use. */
  challenge(of: Registering): { message: string; expiresAt: number }
  /** The nonce of a text that `challenge` made for exactly this registration; undefined when it is not, or is too old. */
  challengeOf(of: Registering, message: string): string | undefined
  /** A code for one purpose that ends at `until` (epoch ms). The same purpose and time give the same code. */
  codeFor(purpose: string, until: number): string
  /** The end of such a code in epoch ms; undefined when it is not ours, for another purpose, or over. */
  endOfCode(code: string, purpose: string): number | undefined
  /** A text that only this service can have made. Anybody can read it. */
  pack(text: string, purpose: string): string
  /** The text of `pack`; undefined when it is not ours, or for another purpose. */
  unpack(packed: string, purpose: string): string | undefined
  /** A token with which a program acts for a wallet within a grant, for `forMs`. */
  issueToProgram(wallet: Address, grant: Grant, forMs: number): Promise<Issued>
  /** Ends all tokens of a grant. */
  revokeGrant(grant: string): Promise<void>
  /** Whether all tokens of a wallet were revoked at `since` (epoch ms) or later. */
  wereRevoked(wallet: Address, since: number): Promise<boolean>
  /** Uses a nonce; false when it was used before. It also ends the wallet's bare signature. */
  spendChallenge(nonce: string, wallet: Address): Promise<boolean>
}

/** Jobs of a feature that are no hires, in the shape of the job API. */
export type OtherJobs = {
  /** A job that this caller may read. */
  read(id: string, deps: Deps, caller: Caller): Promise<JobRecord | undefined>
  /** Jobs in which this wallet is proved to have the role, newest first. Absent when none are listed. */
  list?(of: JobsOfWallet, deps: Deps): Promise<JobRecord[]>
  /** Leases the next job of an agent, in the form in which the agent gets it. Absent when agents get none. */
  lease?(agentId: AgentId, deps: Deps): Promise<Delivery | undefined>
  /** A job that an agent may complete. */
  held?(id: string, deps: Deps): Promise<HeldJob | undefined>
  /** What these jobs say about an agent, for its diagnosis. */
  diagnose?(agentId: AgentId, deps: Deps): Promise<Finding>
}

export type JobsOfWallet = { wallet: Address; chainId?: number; role: 'client' | 'provider' | 'evaluator' | 'any' }

/** What agent tokens mean for other money. */
export type TokenMoney = {
  /**
   * A token by its address, or by the id or handle of its agent.
   * @throws Problem token-not-found
   */
  find(text: string, chainId: number, deps: Deps): Promise<Pick<LaunchedToken, 'token' | 'symbol'>>
  /** The asset of the fees that an agent's token pays; undefined for an agent without a token. */
  feeAsset(agentId: AgentId, deps: Deps): Promise<ReserveKind | undefined>
}

/** A job that is no hire, such as a test job, as its agent completes it. */
export type HeldJob = {
  id: string
  agentId: AgentId
  chainId: number
  /** @throws Problem busy, body-too-large, invalid-input */
  complete(completion: Completion, deps: Deps): Promise<Completed>
}

/** Dependencies of operations. */
export type Deps = {
  store: Store
  chains: ReadonlyMap<number, Chain>
  /** Reasons why configured chains are not served, by chain id. */
  refusedChains?: ReadonlyMap<number, string>
  wallets: Wallets
  recoverSigner: RecoverSigner
  search: Search
  identity: Identity
  /** Absent in processes that serve no requests. */
  access?: Access
  work: WorkIndex
  gateway: Gateway
  /** Limits concurrent registrations per wallet. */
  registrations: Turns
  /** Requests to resources that users buy, with a limit of concurrent ones per user. */
  resources: ResourceClient & { turns: Turns }
  wakeups: Wakeups
  /** Committed events of runs, in memory for the streams of this process. */
  runFeeds: RunFeeds
  /** Jobs besides hires, by feature; absent without features. */
  otherJobs?: readonly OtherJobs[]
  /** Absent where tokens are not offered. */
  tokens?: TokenMoney | undefined
  /** Valid certificates of agents' offerings; absent where none are issued. */
  certificatesOf?(agentIds: AgentId[]): Promise<Certificate[]>
  clock: Clock
  ids: Ids
  settings: Settings
  /** The wallet of a client without a token in the local world. Undefined elsewhere, where tools then ask for a token. */
  demoUser?(): Address | undefined
}

/** The definition of an operation. Its route, tool, OpenAPI entry and CLI command are generated from it. */
type OperationDefinition<I extends z.ZodType, O extends z.ZodType> = {
  name: string
  summary: string
  /** `user` requires a token. `anyone` does not, but a token that is sent is verified. */
  caller: 'user' | 'anyone'
  /**
   * What a program with a token needs. Without it, a program may call an operation for anyone and none of a user: those are for
   * the person alone.
   */
  scope?: Scope
  /**
   * The effect of an Idempotency-Key. `answer` returns the first answer again, for work in one short transaction. `same`
   * refuses a different request with the same key, for idempotent work. Operations that take messages handle the key
   * themselves.
   */
  repeats?: 'answer' | 'same'
  /** Whether this input is a person's yes to a payment or a budget. A caller that only asks is refused. */
  isYes?(input: z.output<I>): boolean
  /** The ETag of an answer. */
  tagOf?(answer: z.output<O>): string
  /** Whether an answer means that the service is unavailable, which is sent with status 503. */
  isUnavailable?(answer: z.output<O>): boolean
  /** Status and headers of an answer, if they depend on the answer. */
  responseOf?(answer: z.output<O>): { status: 200 | 201 | 202 | 400 | 401; headers: Record<string, string> }
  input: I
  output: O
  run(input: z.output<I>, deps: Deps, caller: Caller): Promise<z.input<O>>
}

/** An operation without its types, for routes, tools and the fuzzer. */
export type Operation = Omit<OperationDefinition<z.ZodType, z.ZodType>, 'run'> & {
  /**
   * Validates the input, runs the operation, validates the answer.
   * @throws Problem unauthenticated, invalid-input, person-needed and those of the operation
   */
  call(raw: unknown, deps: Deps, caller: Caller): Promise<unknown>
}

/** Completes an operation with `call`, which checks the caller, validates input and output, and applies the idempotency key. */
export const operation = <I extends z.ZodType, O extends z.ZodType>(
  it: OperationDefinition<I, O>,
): OperationDefinition<I, O> & Operation => ({
  ...it,
  call: async (raw, deps, caller) => {
    if (it.caller === 'user') userOf(caller)
    checkScope(it, caller)
    const input = parseInput(it.input, withChain(it.input, raw, deps))
    if (caller.asksOnly && it.isYes?.(input)) throw new Problem('person-needed', yesElsewhere)
    const request = it.repeats && toRequestKey(it.name, input, caller)
    if (request && it.repeats === 'answer') return it.output.parse(await runOnce(it, { input, request }, { deps, caller }))
    if (request) await checkSame(deps.store, request)
    return it.output.parse(await it.run(input, deps, caller))
  },
})

/**
 * Refuses a program without the scope of an operation.
 * @throws Problem insufficient-scope
 */
export const checkScope = ({ scope, caller: who }: Pick<Operation, 'scope' | 'caller'>, { scopes }: Caller): void => {
  if (scopes === undefined || (scope === undefined && who === 'anyone') || (scope && scopes.includes(scope))) return
  throw new ScopeProblem(scope)
}

const yesElsewhere =
  'This token was sent to /mcp, where a model uses it, so it gives no yes. Agree on the page, or with a token of your own.'

/**
 * Adds the chain that an absent `chain_id` means at this service.
 * @throws Problem chain-not-supported where it would be a chain with real money, and money may move
 */
const withChain = (schema: z.ZodType, raw: unknown, deps: Deps): unknown => {
  const member = schema instanceof z.ZodObject ? schema.shape.chain_id : undefined
  if ((raw !== undefined && !isObject(raw)) || raw?.chain_id !== undefined) return raw
  if (member === anyChainId || member === chainOfQuery) return { ...raw, chain_id: preselectedChainOf(deps) }
  return member === chainId ? { ...raw, chain_id: testChainOf(deps) } : raw
}

type Served = Pick<Deps, 'chains' | 'refusedChains'>
/** The configured chains. A chain that is refused for now stays the default, so that no other one takes its place. */
const configured = ({ chains, refusedChains }: Served) => [...chains.keys(), ...(refusedChains?.keys() ?? [])]

/** The chain of a read or a proposal that names no chain. */
export const preselectedChainOf = (deps: Served): number => toPreselectedChain(configured(deps))

const testChainOf = (deps: Served): number => {
  const served = configured(deps)
  const id = toTestChain(served)
  if (id !== undefined || served.length === 0) return id ?? defaultChainId
  throw new Problem(
    'chain-not-supported',
    `Name a chain_id. Served are chains with real money: ${served.join(', ')}.`,
    '/chain_id',
  )
}

type Once<I> = { input: I; request: RequestKey }
type By = { deps: Deps; caller: Caller }

/** Runs the work in the transaction that claims its key. */
const runOnce = async <I extends z.ZodType, O extends z.ZodType>(
  { run, output }: OperationDefinition<I, O>,
  { input, request }: Once<z.output<I>>,
  { deps, caller }: By,
): Promise<unknown> =>
  deps.store.atomically(tables => {
    const store: Store = { ...deps.store, ...tables, atomically: work => work(tables) }
    return once(tables, { request, answer: json }, async () =>
      json.parse(output.parse(await run(input, { ...deps, store }, caller))),
    )
  })

/**
 * Parses an input by its schema.
 * @throws Problem invalid-input, with a pointer
 */
export const parseInput = <I extends z.ZodType>(schema: I, raw: unknown): z.output<I> => {
  checkTexts(raw)
  const parsed = parseOrFault(schema, raw)
  if ('data' in parsed) return parsed.data
  const { pointer, words } = parsed.fault
  throw new Problem('invalid-input', `${pointer}: ${words}`.slice(0, 400), pointer)
}

/**
 * The caller's wallet.
 * @throws Problem unauthenticated
 */
export const userOf = (caller: Caller): Address => {
  if (!caller.wallet) throw new Problem('unauthenticated')
  return caller.wallet
}

/**
 * Returns the identity provider's functions.
 * @throws Problem not-found when this process has no identity provider
 */
export const accessOf = ({ access }: Pick<Deps, 'access'>): Access => {
  if (!access) throw new Problem('not-found')
  return access
}

/**
 * The chain of a request.
 * @throws Problem chain-not-supported
 */
export const chainOf = ({ chains, refusedChains }: Pick<Deps, 'chains' | 'refusedChains'>, chainId: number): Chain => {
  const chain = chains.get(chainId)
  if (chain) return chain
  const served = [...chains.keys()].join(', ') || 'none'
  const reason = refusedChains?.get(chainId) ?? ''
  throw new Problem(
    'chain-not-supported',
    `Chain ${chainId} is not supported here. Supported chains: ${served}. ${reason}`.trim(),
  )
}
