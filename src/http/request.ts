import { Socket } from 'node:net'
import type { Context } from 'hono'
import { z } from 'zod'
import { isWithin } from '../domain/access/scopes.ts'
import { isObject } from '../domain/json.ts'
import { Problem } from '../domain/problem.ts'
import { isPaymentCredential } from '../domain/x402/mpp.ts'
import { isAgentSecret } from '../operations/gateway/access.ts'
import type { Caller, Deps } from '../operations/operation.ts'
import { readBytes } from './body.ts'
import type { Credentials } from './credentials.ts'
import { readUpload } from './files/uploads.ts'
import type { Route } from './route.ts'
import type { SourceOf } from './source.ts'
import type { TurnOf } from './turns/takeTurns.ts'

/** The run that a request is about, known once its operation has named it. */
export type RunOf = WeakMap<Request, string>

type Reach = {
  deps: Pick<Deps, 'identity' | 'gateway' | 'settings'>
  ending: AbortSignal
  sourceOf: SourceOf
  credentials: Credentials
  turnOf: TurnOf
  runOf?: RunOf | undefined
  /** Paths whose requests are anonymous, whatever token they carry. */
  anonymousPaths: ReadonlySet<string>
}

/**
 * Merges query parameters, the body's members and path parameters into one input; later ones win. A body that is not an object
 * adds no members.
 * @param route.takesBody the body becomes the member `body`, because its own members are not those of the input
 * @throws Problem unsupported-media-type, invalid-json, body-too-large, invalid-input
 */
export const readInput = async (
  c: Context,
  caller: Caller,
  route: Pick<Route, 'takesBody' | 'takesForm' | 'takesFile' | 'takesHeaders' | 'bodyBytes'>,
): Promise<Record<string, unknown>> => {
  const named = Object.entries(route.takesHeaders ?? {}).map(([header, member]) => [member, c.req.header(header)])
  const headers = Object.fromEntries(named.filter(([, value]) => value !== undefined))
  if (route.takesFile) return { ...c.req.query(), ...headers, upload: await readUpload(c), ...c.req.param() }
  const body = await readBody(c, caller, route)
  if (route.takesBody) return { ...c.req.query(), body, ...c.req.param() }
  return { ...c.req.query(), ...headers, ...(isObject(body) ? body : {}), ...c.req.param() }
}

const readBody = async (c: Context, caller: Caller, { bodyBytes, takesForm }: Pick<Route, 'bodyBytes' | 'takesForm'>) => {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return undefined
  const bytes = await readBytes(c, caller, bodyBytes)
  if (bytes.byteLength === 0) return undefined
  if (takesForm && isForm(c.req.header('content-type'))) return readForm(bytes)
  if (!isJson(c.req.header('content-type')) || isEncoded(c.req.header('content-encoding')))
    throw new Problem('unsupported-media-type')
  try {
    return JSON.parse(strictUtf8.decode(bytes))
  } catch {
    throw new Problem('invalid-json')
  }
}

/** The request with its body read, in the bounds of the caller, for a library that reads and parses it itself. */
export const withBytes = async (c: Context, caller: Caller, bodyBytes: number): Promise<Request> => {
  const { raw } = c.req
  if (raw.method === 'GET' || raw.method === 'HEAD') return raw
  const body = await readBytes(c, caller, bodyBytes)
  const { url, method, headers, signal } = raw
  return new Request(url, { method, headers, signal, ...(body.byteLength > 0 && { body }) })
}

/**
 * JSON is UTF-8 without a byte order mark (RFC 8259, section 8.1). Decoding invalid bytes leniently would change a deliverable.
 */
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const isJson = (type = '') => /^application\/json\s*(?:;|$)/i.test(type)
const isForm = (type = '') => /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)
/** A parameter that is sent twice is no parameter (RFC 6749, section 3.2). */
const readForm = (bytes: Uint8Array): Record<string, unknown> => {
  const form = new URLSearchParams(new TextDecoder().decode(bytes))
  return Object.fromEntries(
    [...new Set(form.keys())].map(it => [it, form.getAll(it).length > 1 ? form.getAll(it) : form.get(it)]),
  )
}
const isEncoded = (encoding = 'identity') => encoding.toLowerCase() !== 'identity'

/**
 * Authenticates the caller. A token is verified even where none is required: a bad token is an error, never an anonymous
 * caller. The caller's signal also aborts at shutdown, so that waiting requests are answered before the connections close.
 */
const readCaller = async (c: Context, { deps, ending, sourceOf, turnOf, runOf, anonymousPaths }: Reach): Promise<Caller> => {
  const sent = anonymousPaths.has(c.req.path) ? undefined : c.req.header('authorization')
  const credential = sent !== undefined && isPaymentCredential(sent) ? sent : undefined
  const header = credential === undefined ? sent : undefined
  const key = c.req.header('idempotency-key')
  if (key && key.length > 255) throw new Problem('invalid-input', 'An idempotency key has at most 255 characters.')
  const bearer = header === undefined ? undefined : bearerOf(header)
  // Generated clients with one credential for both schemes send it in both headers.
  const named = c.req.header('x-agent-secret')
  const secret = named !== undefined && named !== bearer ? named : secretIn(bearer)
  const agentKey = secret === undefined ? undefined : await deps.gateway.access.ofSecret(secret)
  const token = bearer === undefined || isAgentSecret(bearer) ? undefined : bearer
  const wallet = token === undefined ? undefined : await deps.identity.verify(token)
  const asksOnly = token !== undefined && (await deps.identity.asksOnly(token))
  const grant = token === undefined ? undefined : await deps.identity.grantOf(token)
  if (grant && !isWithin(grant.resource, `${deps.settings.publicUrl}${c.req.path}`))
    throw new Problem('invalid-token', `The token is for ${grant.resource}.`)
  let signal: AbortSignal | undefined
  return {
    wallet,
    token,
    asksOnly,
    scopes: grant?.scopes,
    agentKey,
    source: sourceOf(c),
    idempotencyKey: key,
    ifMatch: c.req.header('if-match'),
    a2aVersion: c.req.header('a2a-version'),
    passkeyAnswer: c.req.header('passkey-answer'),
    payment: c.req.header('payment-signature') ?? c.req.header('x-payment') ?? credential,
    onRun: runId => void runOf?.set(c.req.raw, runId),
    charge: ms => turnOf.get(c.req.raw)?.charge(ms),
    warn: text => c.header('warning', `199 - "${text.replaceAll(/[^ -!#-[\]-~]/g, '?')}"`),
    // Created on first use: most requests never wait, and creating a signal costs more than handling them.
    get signal() {
      signal ??= signalOf(c, ending)
      return signal
    },
  }
}

/** A HEAD request must not lease a job: nobody would receive it. Its signal is aborted from the start. */
const signalOf = (c: Context, ending: AbortSignal): AbortSignal =>
  c.req.method === 'HEAD' ? AbortSignal.abort() : AbortSignal.any([c.req.raw.signal, ending])

const secretIn = (bearer: string | undefined) => (bearer !== undefined && isAgentSecret(bearer) ? bearer : undefined)

const bearerOf = (header: string): string => {
  const [, token] = /^Bearer ([\w.~+/=-]{1,8192})$/i.exec(header) ?? []
  if (!token) throw new Problem('invalid-token', 'Send Authorization: Bearer <token>.')
  return token
}

/** Returns a cached `readCaller`: rate limits, operation and response of one request use the same caller. */
export const createCallerReader = (reach: Reach): ((c: Context) => Promise<Caller>) => {
  const known = new WeakMap<Request, Promise<Caller>>()
  const readAndNote = async (c: Context) => {
    try {
      const caller = await readCaller(c, reach)
      reach.credentials.note(c, caller.wallet ?? caller.agentKey)
      return caller
    } catch (error) {
      reach.credentials.note(c, undefined)
      throw error
    }
  }
  return c => {
    const caller = known.get(c.req.raw) ?? readAndNote(c)
    known.set(c.req.raw, caller)
    return caller
  }
}

const cuttable = z.object({ incoming: z.object({ socket: z.instanceof(Socket) }) })

/** Closes the TCP connection of a request. Does nothing when the request has none, as in tests. */
export const cutConnection = (c: Context): void => void cuttable.safeParse(c.env).data?.incoming.socket.destroy()
