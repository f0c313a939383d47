import { lookup } from 'node:dns/promises'
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, isIPv6, type LookupFunction } from 'node:net'
import { limits } from '../domain/limits.ts'
import { checkEndpoint, hostOf, isPublicAddress } from '../domain/net/publicAddress.ts'
import { Problem } from '../domain/problem.ts'
import { toDataUrl, toText } from '../domain/x402/paidAnswer.ts'
import type { PaidRequest } from '../domain/x402/purchase.ts'
import type { Dialer, KeepPart, ResourceAnswer, ResourceClient } from '../ports.ts'
import { readPaid } from './paidBody.ts'

export type DialerDeps = {
  allowsPrivate: boolean
  /** Resolves a host name to all its addresses. */
  resolve?: (name: string) => Promise<string[]>
  timeoutMs?: number
}

const resolveByHost = async (name: string) => (await lookup(name, { all: true })).map(it => it.address)

/**
 * Sends requests to endpoints of strangers. The host name is resolved once per call, every address is checked, and the
 * connection goes to a checked one.
 * @throws Problem endpoint-not-allowed, agent-unreachable
 */
export const createDialer = (deps: DialerDeps): Dialer => {
  const call = createCall({ timeoutMs: limits.callMs, ...deps })
  const ask = async (url: URL, signal: AbortSignal | undefined, text?: string) => {
    const headers = { accept: 'application/json' }
    const { status, bytes } = await call({ url, body: text, headers }, signal, readWhole)
    const body = toText(bytes)
    if (body === undefined) throw new Problem('agent-unreachable', "The agent's response is not text in UTF-8.")
    return { status, body }
  }
  return { post: (url, body, signal) => ask(url, signal, JSON.stringify(body)), get: (url, signal) => ask(url, signal) }
}

/** Like `createDialer`, with a longer time limit, for resources that users buy. */
export const createResourceClient = (deps: DialerDeps): ResourceClient => {
  const call = createCall({ timeoutMs: limits.resourceMs, ...deps })
  const toAsked = ({ url, method, body }: PaidRequest, headers: Record<string, string>): Request => ({
    url: new URL(url),
    body: method === 'POST' ? (body ?? '') : undefined,
    headers: { accept: 'application/json, */*;q=0.8', ...headers },
  })
  return {
    async ask(request, signal, headers = {}) {
      const { bytes, ...answer } = await call(toAsked(request, headers), signal, readWhole)
      return { ...answer, body: toText(bytes) ?? toDataUrl(bytes, answer.contentType) }
    },
    async buy(request, [name, value], { keep, signal }) {
      let failure: unknown
      const store: KeepPart = (at, bytes) =>
        keep(at, bytes).catch((error: unknown) => {
          failure = error
          throw error
        })
      // A failure of our storage is not one of the seller.
      return call(toAsked(request, { [name]: value }), signal, answer => readPaid(answer, store)).catch((error: unknown) => {
        throw failure ?? error
      })
    },
  }
}

type Received = Omit<ResourceAnswer, 'body'> & { bytes: Buffer }

type Request = { url: URL; body: string | Uint8Array | undefined; headers: Record<string, string> }

/** The guarded request itself: every address of the host is checked, and the time is limited. */
export const createCall = ({ allowsPrivate, resolve = resolveByHost, timeoutMs }: DialerDeps & { timeoutMs: number }) => {
  const addressesOf = async (url: URL): Promise<string[]> => {
    const host = hostOf(url)
    const addresses = isIP(host) ? [host] : await resolve(host)
    if (addresses.length === 0) throw new Problem('agent-unreachable', `${host} has no address.`)
    if (!allowsPrivate && !addresses.every(isPublicAddress))
      throw new Problem('endpoint-not-allowed', `${host} resolves to an address that is not public.`)
    return addresses
  }
  return async <T>(request: Request, signal: AbortSignal | undefined, read: ReadAnswer<T>): Promise<T> => {
    const { url } = request
    checkEndpoint(url.href, { allowsPrivate })
    const ending = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])])
    let isReading = false
    const start = (answer: IncomingMessage) => {
      isReading = true
      return read(answer)
    }
    const work = addressesOf(url).then(addresses => send({ ...request, addresses, signal: ending, read: start }))
    // The time limit covers the name resolution too. Later it ends the connection, and so the reading.
    const late = rejected(ending, () => !isReading)
    return Promise.race([work, late]).catch((error: unknown) => refuse(error, ending))
  }
}

const refuse = (error: unknown, { aborted }: AbortSignal): never => {
  if (error instanceof Problem) throw error
  // The message of a network error may reveal internal addresses.
  throw aborted ? tooLate() : new Problem('agent-unreachable')
}

const tooLate = () => new Problem('agent-unreachable', 'The agent did not respond in time.')

const rejected = (signal: AbortSignal, isWaiting: () => boolean) =>
  new Promise<never>((_resolve, reject) => {
    const end = () => isWaiting() && reject(tooLate())
    if (signal.aborted) return end()
    signal.addEventListener('abort', end, { once: true })
  })

type ReadAnswer<T> = (answer: IncomingMessage) => Promise<T>

type Sending<T> = Request & { addresses: string[]; signal: AbortSignal; read: ReadAnswer<T> }

const send = <T>({ url, addresses, body, headers, signal, read }: Sending<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps : requestHttp
    const options: RequestOptions = {
      method: body === undefined ? 'GET' : 'POST',
      // No connection is reused, because an earlier one was checked for another name.
      agent: false,
      lookup: pinned(addresses),
      signal,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        'accept-encoding': 'identity',
        ...headers,
      },
    }
    const out = request(url, options, answer => read(answer).then(resolve, reject))
    out.on('error', reject)
    out.end(body)
  })

/** Returns the checked addresses instead of resolving the name a second time. */
const pinned =
  (addresses: string[]): LookupFunction =>
  (_name, { all }, done) => {
    const found = addresses.map(address => ({ address, family: isIPv6(address) ? 6 : 4 }))
    const [first] = found
    if (all || !first) return done(null, found)
    done(null, first.address, first.family)
  }

const readWhole = async (answer: IncomingMessage): Promise<Received> => {
  const chunks: Buffer[] = []
  let bytes = 0
  const encoding = answer.headers['content-encoding'] ?? 'identity'
  try {
    if (encoding !== 'identity')
      throw new Problem('agent-unreachable', "The agent's response has an unsupported content encoding.")
    for await (const chunk of answer) {
      bytes += chunk.length
      if (bytes > limits.callBytes) throw new Problem('agent-unreachable', "The agent's response has more than 1 MiB.")
      chunks.push(chunk)
    }
    const required = answer.headers['payment-required']
    return {
      status: answer.statusCode ?? 0,
      bytes: Buffer.concat(chunks),
      contentType: answer.headers['content-type'] ?? '',
      paymentRequired: Array.isArray(required) ? required[0] : required,
      challenge: answer.headers['www-authenticate'],
      etag: answer.headers.etag,
    }
  } finally {
    answer.destroy()
  }
}
