import type { z } from 'zod'
import type { Address } from '../domain/hex.ts'
import { json } from '../domain/json.ts'
import { Problem } from '../domain/problem.ts'
import type { Chain, Clock, Gateway, Hints, Ids, RecoverSigner, Search, Store, Wallets, WorkIndex } from '../ports.ts'
import { checkTexts } from './checkTexts.ts'
import { checkSame, once, type RequestKey, toRequestKey } from './once.ts'
import type { Turns } from './turns.ts'

/**
 * Who asks. The wallet comes from a verified token, the agent from a verified secret, and both from nowhere else; the signal
 * ends when the asker goes away.
 */
export type Caller = {
  wallet: Address | undefined
  /** The bearer token itself, for whoever wants to revoke it. */
  token?: string | undefined
  agentKey?: string | undefined
  /** The network address, or its /64; undefined when it is this machine's own, which a proxy or the operator has. */
  source?: string | undefined
  idempotencyKey?: string | undefined
  /** For which states of a record a change is meant, as If-Match says it. */
  ifMatch?: string | undefined
  signal?: AbortSignal | undefined
  /** Adds a warning to the answer, for whoever reads the log of a program. */
  warn?(text: string): void
}

/** What is decided at start and never changes. */
export type Settings = {
  /** Base address under which clients reach this service. */
  publicUrl: string
  /** The local world: demo wallets and test USDC exist. */
  local: boolean
  /** Id of the language model, or rules. */
  model: string
  /** Test USDC given to a new user of the local world, decimal text. */
  faucet: string
  /** Agents may name addresses of private networks. */
  allowsPrivate: boolean
}

/** Proves who a person is (specification, Identity provider). */
export type Identity = {
  begin(): Promise<{ code: string }>
  /** @throws Problem not-found for an unknown code, signature-mismatch for a signature that does not fit */
  approve(of: {
    code: string
    wallet: Address
    signer: Address | undefined
    /** Whether whoever began the session gets a token too, through GET /v1/status. */
    handOver?: boolean
  }): Promise<Issued>
  /** The text of a session that waits for approval. */
  messageOf(code: string, wallet: Address): Promise<string>
  /** @throws Problem invalid-token, token-expired */
  verify(token: string): Promise<Address>
}

type Issued = { token: string; expiresAt: number }

/** A registration as a wallet signs it. */
export type Registering = { wallet: Address; chainId: number; handle: string; bodyHash: string }

/** The rest of the identity provider: tokens that are fetched and revoked, and texts that prove a wallet afresh. */
export type Access = {
  /** The token of an approved session, once; undefined before its approval. @throws Problem not-found */
  claim(code: string): Promise<Issued | undefined>
  /** A token that lives for a day. */
  issueForADay(wallet: Address): Promise<Issued>
  revokeOne(token: string): Promise<void>
  revokeAll(wallet: Address): Promise<void>
  publicKeys(): Promise<{ kty: string; crv: string; x: string; y: string; kid: string; alg: string; use: string }[]>
  /** An EIP-4361 text for exactly this registration, good for five minutes and one use. */
  challenge(of: Registering): { message: string; expiresAt: number }
  /** The nonce of a text that was made by `challenge` for exactly this registration and is not too old. */
  challengeOf(of: Registering, message: string): string | undefined
  /** False when it was used before. The wallet's bare signature counts no more. */
  spendChallenge(nonce: string, wallet: Address): Promise<boolean>
}

/** All that an operation may reach. */
export type Deps = {
  store: Store
  chains: ReadonlyMap<number, Chain>
  /** Why a configured chain is not served, in a plain sentence. */
  refusedChains?: ReadonlyMap<number, string>
  wallets: Wallets
  recoverSigner: RecoverSigner
  search: Search
  identity: Identity
  /** Absent where nobody comes through a door. */
  access?: Access
  work: WorkIndex
  gateway: Gateway
  /** Turns of wallets that register agents. */
  registrations: Turns
  hints: Hints
  clock: Clock
  ids: Ids
  settings: Settings
}

/** One capability, said once: route, tool, OpenAPI entry and CLI call are read off it. */
type Spoken<I extends z.ZodType, O extends z.ZodType> = {
  name: string
  summary: string
  /** `user` needs a token; `anyone` may come without, and a token that comes is still checked. */
  caller: 'user' | 'anyone'
  /**
   * What a user's Idempotency-Key does: `answer` gives the first answer again, for work that is one short transaction; `same`
   * refuses another request under the key, for work that has one effect by itself. Who takes messages does both in their own way.
   */
  repeats?: 'answer' | 'same'
  /** Which state of a record an answer shows, told as its ETag. */
  tagOf?(answer: z.output<O>): string
  /** Whether an answer says that the service cannot do its work now: it goes out with status 503. */
  isUnavailable?(answer: z.output<O>): boolean
  input: I
  output: O
  run(input: z.output<I>, deps: Deps, caller: Caller): Promise<z.input<O>>
}

/** An operation for whoever does not know its types: routes, tools, the fuzzer. */
export type Operation = Omit<Spoken<z.ZodType, z.ZodType>, 'run'> & {
  /** Checks the input, does it, checks the answer. @throws Problem unauthenticated, invalid-input and the operation's own */
  call(raw: unknown, deps: Deps, caller: Caller): Promise<unknown>
}

export const operation = <I extends z.ZodType, O extends z.ZodType>(it: Spoken<I, O>): Spoken<I, O> & Operation => ({
  ...it,
  call: async (raw, deps, caller) => {
    if (it.caller === 'user') userOf(caller)
    const input = parseInput(it.input, raw)
    const request = it.repeats && toRequestKey(it.name, input, caller)
    if (request && it.repeats === 'answer') return it.output.parse(await runOnce(it, { input, request }, { deps, caller }))
    if (request) await checkSame(deps.store, request)
    return it.output.parse(await it.run(input, deps, caller))
  },
})

type Once<I> = { input: I; request: RequestKey }
type By = { deps: Deps; caller: Caller }

/** The work in the transaction of its key: its store is that transaction. */
const runOnce = async <I extends z.ZodType, O extends z.ZodType>(
  { run, output }: Spoken<I, O>,
  { input, request }: Once<z.output<I>>,
  { deps, caller }: By,
): Promise<unknown> =>
  deps.store.atomically(tables => {
    const store: Store = { ...deps.store, ...tables, atomically: work => work(tables) }
    return once(tables, { request, answer: json }, async () =>
      json.parse(output.parse(await run(input, { ...deps, store }, caller))),
    )
  })

/** An input as its schema wants it. @throws Problem invalid-input, with a pointer */
export const parseInput = <I extends z.ZodType>(schema: I, raw: unknown): z.output<I> => {
  checkTexts(raw)
  const parsed = schema.safeParse(raw)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const pointer = `/${issue?.path.map(String).join('/') ?? ''}`
  throw new Problem('invalid-input', `${pointer}: ${issue ? toIssueText(issue, raw) : 'does not fit'}`.slice(0, 300), pointer)
}

/** What does not fit, in words. A text that is too long is told with its length. */
const toIssueText = (issue: z.core.$ZodIssue, raw: unknown): string => {
  const given = issue.path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value ? Reflect.get(value, step) : undefined),
    raw,
  )
  if (issue.code !== 'too_big' || typeof given !== 'string') return issue.message
  return `That is too long: ${toDigits(given.length)} of ${toDigits(Number(issue.maximum))} characters.`
}

const toDigits = (count: number) => count.toLocaleString('en-US')

/** The asking user's wallet. @throws Problem unauthenticated */
export const userOf = (caller: Caller): Address => {
  if (!caller.wallet) throw new Problem('unauthenticated')
  return caller.wallet
}

/** @throws Problem not-found where the identity provider is not served */
export const accessOf = ({ access }: Pick<Deps, 'access'>): Access => {
  if (!access) throw new Problem('not-found')
  return access
}

/** The chain of a request. @throws Problem chain-not-supported */
export const chainOf = ({ chains, refusedChains }: Pick<Deps, 'chains' | 'refusedChains'>, chainId: number): Chain => {
  const chain = chains.get(chainId)
  if (chain) return chain
  const served = [...chains.keys()].join(', ') || 'none'
  const reason = refusedChains?.get(chainId) ?? ''
  throw new Problem('chain-not-supported', `Chain ${chainId} is not served here; served are ${served}. ${reason}`.trim())
}
