import { toReadable } from './format.ts'
import type { Line } from './line.ts'
import type { RunEvent } from './wire.ts'

/** The service said no, or could not be reached (status 0); the message is for people. */
export class Refused extends Error {
  readonly status: number
  readonly code: string
  /** Which member of the request it is about, as a JSON pointer. */
  readonly pointer: string
  constructor(message: string, { status, code = '', pointer = '' }: { status: number; code?: string; pointer?: string }) {
    super(message)
    this.status = status
    this.code = code
    this.pointer = pointer
  }
}

type Ask = { method?: 'GET' | 'POST' | 'PUT' | 'DELETE'; body?: unknown; headers?: Record<string, string>; signal?: AbortSignal }

export type Api = ReturnType<typeof createApi>

type ApiDeps = { token: () => string | undefined; onExpired: () => void; line: Pick<Line, 'found' | 'lost'> }

/**
 * Speaks to the service that this page came from.
 * @param token of the signed-in user
 * @param onExpired the service no longer takes the token
 * @param line is told whether requests are answered
 */
export const createApi = ({ token, onExpired, line }: ApiDeps) => {
  const send = async (path: string, { method = 'GET', body, headers, signal }: Ask = {}): Promise<Response> => {
    const bearer = token()
    const response = await fetch(path, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
      headers: {
        ...(bearer && { authorization: `Bearer ${bearer}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
    }).catch(error => {
      if (!signal?.aborted) line.lost()
      return toUnreachable(error)
    })
    line.found()
    if (response.ok) return response
    if (response.status === 401 && bearer) onExpired()
    const { detail, code, pointer } = await response.json().catch(() => ({}))
    throw new Refused(toPlain(detail, pointer) ?? `The service answered ${response.status}.`, {
      status: response.status,
      code,
      pointer,
    })
  }
  // What our own service answers is taken at its word: its schemas are checked where it answers.
  const ask = async <T>(path: string, init?: Ask): Promise<T> => (await send(path, init)).json()
  return {
    get: <T>(path: string, signal?: AbortSignal) => ask<T>(path, signal && { signal }),
    post: <T>(path: string, body: unknown) => ask<T>(path, { method: 'POST', body }),
    /** What a GET answers, with the tag of its state. A proxy that compresses makes the tag a weak one; the state is the same. */
    getTagged: async <T>(path: string): Promise<{ value: T; tag: string | undefined }> => {
      const response = await send(path)
      return { value: await response.json(), tag: response.headers.get('etag')?.replace(/^W\//, '') }
    },
    /** @param tag the state that is to be changed, and no other */
    put: <T>(path: string, body: unknown, tag?: string) =>
      ask<T>(path, { method: 'PUT', body, ...(tag && { headers: { 'if-match': tag } }) }),
    remove: <T>(path: string) => ask<T>(path, { method: 'DELETE' }),
    /** The events of a run after one that was seen, until nothing more comes without the user. */
    async *events(runId: string, after: number, signal: AbortSignal): AsyncGenerator<RunEvent> {
      const headers = { accept: 'text/event-stream', 'last-event-id': String(after) }
      const { body } = await send(`/runs/${runId}/events?deliverable=reference`, { headers, signal })
      if (body) for await (const line of linesOf(body)) if (line.startsWith('data: ')) yield JSON.parse(line.slice(6))
    },
  }
}

/** The words of a refusal without the name of the member, which a person never typed. */
const toPlain = (detail: unknown, pointer: unknown): string | undefined => {
  if (typeof detail !== 'string') return undefined
  const prefix = `${pointer}: `
  return toReadable(detail.startsWith(prefix) ? detail.slice(prefix.length) : detail)
}

const toUnreachable = (error: unknown): never => {
  if (error instanceof DOMException && error.name === 'AbortError') throw error
  throw new Refused('The service does not answer. Is it running? Try again in a moment.', { status: 0 })
}

async function* linesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const lines = (rest + value).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
