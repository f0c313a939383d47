import { z } from 'zod'
import type { Scope } from '../domain/access/scopes.ts'
import {
  anyChainId,
  chainId,
  chainOfQuery,
  defaultChainId,
  isProduction,
  toPreselectedChain,
  toTestChain,
} from '../domain/chains/chains.ts'
import type { Address } from '../domain/hex.ts'
import { canonical, isObject, json, sha256 } from '../domain/json.ts'
import { Problem, ScopeProblem } from '../domain/problem.ts'
import { parseOrFault } from '../domain/schemas/inputFaults.ts'
import type { Chain, Store, Tables } from '../ports.ts'
import type { Caller } from './caller.ts'
import { checkTexts } from './checkTexts.ts'
import type { Deps } from './deps.ts'
import type { Access } from './identityParts.ts'
import { checkSame, once, type RequestKey, toRequestKey } from './once.ts'

export type { Caller } from './caller.ts'
export type { Deps } from './deps.ts'

/** The definition of an operation. Its route, tool, OpenAPI entry and CLI command are generated from it. */
type OperationDefinition<I extends z.ZodType, O extends z.ZodType> = {
  name: string
  summary: string
  /** `user`, which is the default, requires a token. `anyone` does not, but a token that is sent is verified. */
  caller?: 'user' | 'anyone'
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
  /** Each input needs a passkey of a user who has one. */
  asksPasskey?: true
  /** The ETag of an answer. */
  tagOf?(answer: z.output<O>): string
  /** Whether an answer means that the service is unavailable, which is sent with status 503. */
  isUnavailable?(answer: z.output<O>): boolean
  /** Status and headers of an answer, if they depend on the answer. */
  responseOf?(answer: z.output<O>, deps: Deps): { status: 200 | 201 | 202 | 204 | 400 | 401; headers: Record<string, string> }
  /** The body of status 400 where another standard than RFC 9457 defines it. It is one of the outputs. */
  refusal?: z.ZodType
  input: I
  output: O
  run(input: z.output<I>, deps: Deps, caller: Caller): Promise<z.input<O>>
}

/** An operation without its types, for routes, tools and the fuzzer. */
export type Operation = Omit<OperationDefinition<z.ZodType, z.ZodType>, 'run' | 'caller'> & {
  caller: 'user' | 'anyone'
  /**
   * Validates the input, runs the operation, validates the answer.
   * @throws Problem unauthenticated, invalid-input, person-needed and those of the operation
   */
  call(raw: unknown, deps: Deps, caller: Caller): Promise<unknown>
}

/** Completes an operation with `call`, which checks the caller, validates input and output, and applies the idempotency key. */
export const operation = <I extends z.ZodType, O extends z.ZodType>(
  it: OperationDefinition<I, O>,
): Omit<OperationDefinition<I, O>, 'caller'> & Operation => ({
  ...it,
  caller: it.caller ?? 'user',
  call: async (raw, deps, caller) => {
    if (it.caller !== 'anyone') userOf(caller)
    checkScope(it, caller)
    const input = parseInput(it.input, withChain(it.input, raw, deps))
    if (caller.asksOnly && it.isYes?.(input)) throw new Problem('person-needed', yesElsewhere)
    const request = it.repeats && toRequestKey(it.name, input, caller)
    if (request && it.repeats === 'answer') return it.output.parse(await runOnce(it, { input, request }, { deps, caller }))
    if (request) await checkSame(deps.store, request)
    return it.output.parse(await runAgreed(it, input, { deps, caller }))
  },
})

/** Runs the work, after the passkey where it asks for one. A repeated request gets its first answer without another passkey. */
const runAgreed = async <I extends z.ZodType, O extends z.ZodType>(
  it: OperationDefinition<I, O>,
  input: z.output<I>,
  { deps, caller }: By,
): Promise<z.input<O>> => {
  if (it.asksPasskey) await demandPasskey({ operation: it.name, input }, deps, caller)
  return it.run(input, deps, caller)
}

type Asked = { operation: string; input: unknown }
/** A passkey signs the digest of the operation with its whole input, so it agrees to exactly this request. */
const demandPasskey = async ({ operation, input }: Asked, deps: Deps, caller: Caller): Promise<void> => {
  const terms = canonical(json.parse({ operation, input }))
  const { passkeyAnswer: answer } = caller
  await deps.presence?.demand({ user: userOf(caller), operation, terms, digest: sha256(terms), answer }, deps)
}

/**
 * Refuses a program without the scope of an operation.
 * @throws Problem insufficient-scope
 */
export const checkScope = ({ scope, caller: who }: Pick<Partial<Operation>, 'scope' | 'caller'>, { scopes }: Caller): void => {
  if (scopes === undefined || (scope === undefined && who === 'anyone') || (scope && scopes.includes(scope))) return
  throw new ScopeProblem(scope, scopes)
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

/** Whether a configured chain holds real money. */
export const servesRealMoney = (deps: Served): boolean => configured(deps).some(isProduction)

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
  it: OperationDefinition<I, O>,
  { input, request }: Once<z.output<I>>,
  { deps, caller }: By,
): Promise<unknown> =>
  deps.store.atomically(tables =>
    once(tables, { request, answer: json }, async () =>
      json.parse(it.output.parse(await runAgreed(it, input, { deps: within(deps, tables), caller }))),
    ),
  )

/** Dependencies whose store works inside a transaction. */
export const within = (deps: Deps, tables: Tables): Deps => {
  const store: Store = { ...deps.store, ...tables, atomically: work => work(tables) }
  return { ...deps, store }
}

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
