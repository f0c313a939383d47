import { readEvents } from '../../domain/eventLines.ts'
import { toReadable } from './format.ts'
import type { Line } from './line.ts'
import type { RunEvent } from './shapes.ts'
import { t, toOwn } from './words.ts'

/** A refusal by the service, or a failure to reach it (status 0). The message is for users. */
export class Refused extends Error {
  readonly status: number
  readonly code: string
  /** The member of the request that the refusal is about, as a JSON pointer (RFC 6901). */
  readonly pointer: string
  constructor(message: string, { status, code = '', pointer = '' }: { status: number; code?: string; pointer?: string }) {
    super(message)
    this.status = status
    this.code = code
    this.pointer = pointer
  }
}

type Ask = { method?: 'GET' | 'POST' | 'PUT' | 'DELETE'; body?: unknown; headers?: Record<string, string>; signal?: AbortSignal }

/** With it a refused yes is repeated, once the user's passkey has signed it. */
const answerHeader = 'passkey-answer'

export type Api = ReturnType<typeof createApi>

type ApiDeps = { token: () => string | undefined; onExpired: () => void; line: Pick<Line, 'found' | 'lost'> }

const toInit = ({ method = 'GET', body, headers, signal }: Ask, bearer: string | undefined): RequestInit => ({
  method,
  ...(body !== undefined && { body: JSON.stringify(body) }),
  ...(signal && { signal }),
  headers: {
    ...(bearer && { authorization: `Bearer ${bearer}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  },
})

/**
 * Creates the client for the service that delivered this page. Its functions throw `Refused`.
 * @param token returns the signed-in user's token
 * @param onExpired called when the service rejects the token
 * @param line is notified whether requests are answered
 */
export const createApi = ({ token, onExpired, line }: ApiDeps) => {
  const send = async (path: string, ask: Ask = {}): Promise<Response> => {
    const bearer = token()
    const response = await fetch(path, toInit(ask, bearer)).catch(error => {
      if (!ask.signal?.aborted) line.lost()
      return toUnreachable(error)
    })
    // The worker of the page answered with what it kept, so the line is lost.
    if (response.headers.has('x-kept')) line.lost()
    else line.found()
    if (response.ok) return response
    const problem = await response.json().catch(() => ({}))
    const { code, passkey } = problem
    // A passkey of another account says nothing about the session.
    if (response.status === 401 && bearer && code !== 'signature-mismatch') onExpired()
    if (code === 'passkey-needed' && !ask.headers?.[answerHeader]) {
      const { prove } = await import('./passkeyDialog.ts')
      return send(path, { ...ask, headers: { ...ask.headers, [answerHeader]: await prove(passkey) } })
    }
    throw toRefused(response.status, problem)
  }
  // Responses of our own service are not validated again, because the service validates them before sending.
  const read = async <T>(path: string, ask?: Ask): Promise<T> => (await send(path, ask)).json()
  return {
    get: <T>(path: string, signal?: AbortSignal) => read<T>(path, signal && { signal }),
    /** The bytes of a GET response, such as those of a file. @param most the bytes that are wanted, from the first; all without it */
    getBytes: async (path: string, signal?: AbortSignal, most?: number): Promise<Blob> => {
      const range = most !== undefined && { headers: { range: `bytes=0-${most - 1}` } }
      return (await send(path, { ...range, ...(signal && { signal }) })).blob()
    },
    /** @param key idempotency key: a repeated request gets the answer of the first */
    post: <T>(path: string, body: unknown, key?: string) =>
      read<T>(path, { method: 'POST', body, ...(key && { headers: { 'idempotency-key': key } }) }),
    /**
     * Returns a GET response with its entity tag. A compressing proxy makes the tag weak (RFC 9110, 8.8.1), which does not
     * matter here.
     */
    getTagged: async <T>(path: string): Promise<{ value: T; tag: string | undefined }> => {
      const response = await send(path)
      return { value: await response.json(), tag: response.headers.get('etag')?.replace(/^W\//, '') }
    },
    /** @param tag entity tag of the only state that may be changed */
    put: <T>(path: string, body: unknown, tag?: string) =>
      read<T>(path, { method: 'PUT', body, ...(tag && { headers: { 'if-match': tag } }) }),
    remove: <T>(path: string) => read<T>(path, { method: 'DELETE' }),
    /** Yields the events of a run after a sequence number, until the run needs its user or ends. */
    async *events(runId: string, after: number, signal: AbortSignal): AsyncGenerator<RunEvent> {
      const headers = { accept: 'text/event-stream', 'last-event-id': String(after) }
      const { body } = await send(`/runs/${runId}/events?deliverable=reference`, { headers, signal })
      if (body) yield* readEvents<RunEvent>(body)
    },
  }
}

/** A problem of the service (RFC 9457) in words for the user. */
const toRefused = (status: number, { title, detail, code, pointer }: Record<string, string | undefined>): Refused => {
  const nothingSaid = t('The service answered {status}.', { status: String(status) })
  return new Refused(inOwnLanguage(title) ?? toPlain(detail, pointer) ?? nothingSaid, { status, code, pointer })
}

/** The title of a problem in the language of the reader, where it has a table with it. Details are in English. */
const inOwnLanguage = (title: unknown): string | undefined => {
  const own = toOwn(String(title))
  return own === title ? undefined : own
}

/** Returns an error text without the name of the request member, which the user does not know. */
const toPlain = (detail: unknown, pointer: unknown): string | undefined => {
  if (typeof detail !== 'string') return undefined
  const prefix = `${pointer}: `
  return toReadable(detail.startsWith(prefix) ? detail.slice(prefix.length) : detail)
}

const toUnreachable = (error: unknown): never => {
  if (error instanceof DOMException && error.name === 'AbortError') throw error
  const words = navigator.onLine ? 'The service does not answer at the moment.' : 'You are offline.'
  throw new Refused(`${t(words)} ${t('Try again when it is back.')}`, { status: 0 })
}
