/** Every error that clients can get: its name, its status, and whether the same request may succeed later (RFC 9457). */
export const problems = {
  'invalid-json': [400, 'The body is not JSON.', false],
  'invalid-input': [422, 'The input is not valid.', false],
  'unsupported-media-type': [415, 'The body must be application/json.', false],
  'body-too-large': [413, 'The body is too large.', false],
  unauthenticated: [401, 'A credential is required.', false],
  'invalid-token': [401, 'The token is not valid.', false],
  'token-expired': [401, 'The token has expired.', false],
  'signature-mismatch': [401, 'The signature does not match the message and the wallet.', false],
  'bare-signature-refused': [401, 'A bare signature of a fixed text is not accepted for this wallet.', false],
  'person-needed': [403, 'Only a person can agree to this, not a program that a model may use.', false],
  'passkey-needed': [403, 'A passkey of yours must agree to this.', false],
  'insufficient-scope': [403, 'The program may not do this for its user.', false],
  'wrong-owner': [401, 'The credential belongs to another wallet.', false],
  'not-found': [404, 'There is nothing at this URL.', false],
  'file-not-found': [404, 'No such file.', false],
  'upload-not-found': [404, 'No such upload, or its time is over.', false],
  'wrong-offset': [409, 'The upload goes on at another offset: read it first.', false],
  'file-in-use': [409, 'A job refers to the file, so it stays.', false],
  'range-not-satisfiable': [416, 'The file has no such bytes.', false],
  'agent-not-found': [404, 'No such agent.', false],
  'job-not-found': [404, 'No such job.', false],
  'run-not-found': [404, 'No such run.', false],
  'orchestrator-inactive': [404, 'The butler is not active for this wallet and chain.', false],
  'method-not-allowed': [405, 'This URL does not support the method.', false],
  'precondition-failed': [412, 'The record has changed since it was read.', false],
  'chain-not-supported': [422, 'This chain is not served here.', false],
  'immutable-field': [422, 'This field cannot be changed.', false],
  'key-refused': [410, 'Private keys are not accepted.', false],
  'job-taken': [409, 'Only another user or agent may do this with the job.', false],
  'invalid-handle': [422, 'The handle is not allowed.', false],
  'handle-taken': [409, 'The handle belongs to another wallet.', false],
  'endpoint-not-allowed': [422, 'The service may not call this endpoint.', false],
  'invalid-price': [422, 'The price is not valid.', false],
  'schema-unsupported': [422, 'The JSON schema uses an unsupported feature.', false],
  'schema-too-large': [422, 'The JSON schema is too large.', false],
  'offering-not-found': [404, 'No such offering.', false],
  'offering-changed': [409, 'The offering changed since it was proposed.', false],
  'mandate-not-found': [404, 'No such mandate.', false],
  'too-many-kept': [429, 'You keep as many of these as this service allows; remove one first.', false],
  'too-many-mandates': [429, 'Too many mandates are active; revoke one first.', false],
  'nothing-proposed': [409, 'There is no proposal waiting for an answer.', false],
  'proposal-changed': [409, 'The answer is for terms that are no longer proposed.', false],
  'proposal-expired': [409, 'The proposal has expired.', false],
  'insufficient-funds': [402, 'The wallet holds too little USDC.', false],
  'address-not-added': [422, 'This is no withdrawal address of yours.', false],
  'address-waits': [409, 'The withdrawal address cannot be used yet.', true],
  'too-many-addresses': [429, 'The account has enough withdrawal addresses.', false],
  'withdrawal-pending': [409, 'A withdrawal from this wallet is in progress; wait for it.', true],
  'too-many-withdrawals': [429, 'The wallet has reached its limit of withdrawals in 24 hours.', true],
  'tokens-not-offered': [422, 'No launchpad of agent tokens is served on this chain.', false],
  'token-not-found': [404, 'No such token.', false],
  'token-exists': [409, 'This agent has its token, or its launch is under way.', false],
  'quote-not-found': [404, 'No such quote of this wallet.', false],
  'quote-expired': [409, 'The quote has expired; ask for a new one.', false],
  'too-many-quotes': [429, 'Too many quotes are open; they expire within minutes.', true],
  'trade-pending': [409, 'Another trade or withdrawal of this wallet is in progress; wait for it.', true],
  'payment-required': [402, 'This agent charges for calls.', false],
  'invalid-payment': [400, 'The payment is not an x402 payment of the scheme exact or upto.', false],
  'payment-reused': [409, 'The payment was used for another request.', false],
  'payment-not-found': [404, 'No such payment.', false],
  'resource-not-payable': [422, 'The resource cannot be bought with the wallet here.', false],
  'purchase-not-found': [404, 'No such purchase.', false],
  'too-many-purchases': [429, 'Too many purchases are under way, or were begun in 24 hours.', true],
  'work-failed': [502, 'The agent did not deliver.', false],
  'task-not-found': [404, 'No such task.', false],
  'task-taken': [409, 'This task id is in use.', false],
  'task-not-ready': [409, 'The task has no result yet.', true],
  'job-already-closed': [409, 'The job has already ended.', false],
  'not-appealable': [409, 'The run has no deliverable accepted in the last seven days, or it was appealed before.', false],
  'idempotency-conflict': [409, 'The idempotency key was used for another request.', false],
  'idempotency-in-progress': [409, 'The first request with this key is still running.', true],
  'demo-wallet-refused': [404, 'Demo wallets exist only on a local service.', false],
  'signing-refused': [403, 'The wallet does not sign this.', false],
  'method-not-offered': [422, 'The wallet does not support this method.', false],
  'fresh-proof-required': [428, 'A signature of a fresh challenge is required.', false],
  'registration-quota': [429, 'Too many agents were registered.', false],
  'gas-budget-used': [429, 'The treasury pays no more gas for this wallet today.', true],
  'rate-limited': [429, 'Too many requests.', true],
  'agent-unreachable': [502, "The agent's endpoint does not answer.", true],
  'too-many-programs': [429, 'Too many programs act for this user.', false],
  'too-many-passkeys': [429, 'The account has enough passkeys.', false],
  'too-many-streams': [429, 'Too many event streams are open.', true],
  'too-many-postings': [429, 'There are too many posted jobs.', true],
  'too-many-groups': [429, 'There are too many groups.', true],
  'too-many-runs': [429, 'Too many runs of this user are open.', true],
  'model-unavailable': [503, 'The language model does not answer.', true],
  'chain-unavailable': [503, 'The chain does not answer.', true],
  'registration-pending': [503, 'The registration transaction is not confirmed yet; try again.', true],
  busy: [503, 'The service is busy.', true],
  'files-unavailable': [503, 'The store of files does not answer.', true],
  'database-unavailable': [503, 'The database does not answer. Send the request again later.', true],
  'storage-full': [503, 'The disk of the service is full. Nothing was changed; send the request again later.', true],
  'shutting-down': [503, 'The service is stopping.', true],
  internal: [500, 'An internal error occurred.', true],
} as const satisfies Record<string, readonly [number, string, boolean]>

export type ProblemName = keyof typeof problems
export const isProblemName = (text: string): text is ProblemName => Object.hasOwn(problems, text)

/** An error from the table above. The detail is for people and must not contain secrets. */
export class Problem extends Error {
  readonly type: ProblemName
  readonly detail: string
  readonly pointer: string | undefined

  constructor(type: ProblemName, detail?: string, pointer?: string) {
    super(`${type}: ${detail ?? problems[type][1]}`)
    this.type = type
    this.detail = detail ?? problems[type][1]
    this.pointer = pointer
  }
}

/** A program may not do something for its user, or not without one more scope. */
export class ScopeProblem extends Problem {
  /** The missing scope; undefined when no scope allows it. */
  readonly scope: string | undefined
  /** The scopes that the token has. A program that signs in again asks for them, too, or would lose them. */
  readonly held: readonly string[]

  constructor(scope: string | undefined, held: readonly string[] = []) {
    const missing = `This token lacks the scope ${scope}: sign in again and ask for it.`
    super('insufficient-scope', scope === undefined ? 'Only the user can do this, on the page.' : missing)
    this.scope = scope
    this.held = held
  }
}

/**
 * Whether an error tells the caller of a mistake (4xx). Any other one is a failure of this service, or of a part that it needs.
 */
export const isRefusal = (error: unknown): error is Problem => error instanceof Problem && problems[error.type][0] < 500

/**
 * No room is left for the database or for files, and the write was undone. It is no Problem of the caller: workers try the step
 * again, and nothing may treat it as a refusal.
 */
export class StorageFull extends Error {
  constructor(of: 'the database' | 'files', cause: unknown) {
    super(`No room is left for ${of}.`, { cause })
  }
}

/**
 * The database does not answer, or another server takes its place. What was sent may be done or not: steps are repeated, and find
 * what is done.
 */
export class DatabaseAway extends Error {
  constructor(cause: Error) {
    super(`The database does not answer: ${cause.message}`, { cause })
  }
}

/** A row that this release cannot read, perhaps because a newer one wrote it. Workers go on with the other rows. */
export class UnreadableRow extends Error {
  constructor(cause: unknown) {
    super(`A row of the database cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

/** Reads something; undefined when this release cannot read its row. Other errors are thrown. */
export const ifReadable = async <T>(read: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await read()
  } catch (error) {
    if (error instanceof UnreadableRow) return undefined
    throw error
  }
}

/** What clients get to know of an error that is no Problem. */
export const toUnexpected = (error: unknown): Problem => {
  if (error instanceof DatabaseAway) return new Problem('database-unavailable')
  return new Problem(error instanceof StorageFull ? 'storage-full' : 'internal')
}

/** An EIP-4361 text to sign, its expiry (ISO 8601), and how to send the signature. */
export type Challenge = { message: string; expires_at: string; how: string }

/** An error that tells the client which text to sign before it repeats the request. */
export class ChallengeProblem extends Problem {
  readonly challenge: Challenge

  constructor(type: 'fresh-proof-required' | 'bare-signature-refused', detail: string, challenge: Challenge) {
    super(type, detail)
    this.challenge = challenge
  }
}

/** A yes that needs a passkey. The response has what the browser gives to the passkey (WebAuthn, request options). */
export class PasskeyProblem extends Problem {
  readonly options: Record<string, unknown>

  constructor(options: Record<string, unknown>) {
    super(
      'passkey-needed',
      'Your passkey must agree: do this on the page. A program sends the passkey’s answer in the header passkey-answer, as ' +
        'base64url of JSON.',
    )
    this.options = options
  }
}

/** A refusal with the seconds after which the same request may succeed. */
export class PassingProblem extends Problem {
  readonly retryAfterS: number

  constructor(type: ProblemName, detail: string, retryAfterS: number) {
    super(type, detail)
    this.retryAfterS = retryAfterS
  }
}

/**
 * How to pay: the value of the header PAYMENT-REQUIRED of x402, absent in version 1, the challenge of MPP, and the members of the
 * body.
 */
export type PaymentTerms = { header: string | undefined; challenge?: string | undefined; body: Record<string, unknown> }

/** A request without a valid payment. The response says how to pay. */
export class PaymentProblem extends Problem {
  readonly terms: PaymentTerms

  constructor(detail: string, terms: PaymentTerms) {
    super('payment-required', detail)
    this.terms = terms
  }
}

/** Work of a paid call that failed. The response says that its payment is not settled, so that nobody waits for that. */
export class UnsettledProblem extends Problem {
  /** Value of the header PAYMENT-RESPONSE of x402. */
  readonly settlement: string

  constructor(detail: string, settlement: string) {
    super('work-failed', detail)
    this.settlement = settlement
  }
}

/** Where an agent is bought: its x402 resources, and the market that hires it. */
type Ways = { x402: string[]; hire: { a2a: string; http: string; page: string } }

/** A free call of an agent that charges for calls. The response says where the agent is bought. */
export class SaleProblem extends Problem {
  readonly ways: Ways

  constructor(ways: Ways) {
    const [first] = ways.x402
    const { a2a, http, page } = ways.hire
    const direct = first ? ` Buy it by x402: POST ${first}.` : ''
    super(
      'payment-required',
      `This agent charges for calls.${direct} Hire it by the butler: ${a2a} (A2A), ${http} (HTTP) or ${page}.`,
    )
    this.ways = ways
  }
}

/** For `catch`: the problem that an error is. Other errors are thrown on. */
export const asProblem = (error: unknown): Problem => {
  if (error instanceof Problem) return error
  throw error
}

/** For `catch`: leaves out what answers with a problem. Other errors are thrown on. */
export const ifProblem = (error: unknown): undefined => void asProblem(error)
