import { z } from 'zod'
import { readEvents } from '../domain/eventLines.ts'
import { needsParts, sendInParts } from '../kit/parts.ts'
import { ownCommand } from './ownCommand.ts'

const refusal = z.object({ detail: z.string(), code: z.string(), pointer: z.string().optional() })

/** A refusal by the service, with its text as the message. */
export class Refused extends Error {
  readonly status: number
  /** Type of the problem; empty if the response has none. */
  readonly code: string
  readonly pointer: string | undefined

  constructor(status: number, message: string, { code = '', pointer }: { code?: string; pointer?: string | undefined } = {}) {
    super(message)
    this.status = status
    this.code = code
    this.pointer = pointer
  }
}

export type Client = ReturnType<typeof createClient>

export const createClient = ({ url, token }: { url: string; token?: string }) => {
  const send = async (path: string, init: RequestInit = {}) => {
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(typeof init.body === 'string' && { 'content-type': 'application/json' }),
    }
    const response = await fetch(`${url}${path}`, { ...init, headers: { ...headers, ...init.headers } }).catch(cause => {
      throw new Error(`No service answers at ${url}. Start one with: ${ownCommand('start')}`, { cause })
    })
    if (response.ok) return response
    const said = refusal.safeParse(await response.json().catch(() => undefined))
    throw new Refused(response.status, said.data?.detail ?? `The service answered ${response.status}.`, said.data)
  }
  const write =
    (method: string) =>
    async (path: string, body: unknown, headers: Record<string, string> = {}): Promise<unknown> =>
      (await send(path, { method, headers, body: JSON.stringify(body) })).json()
  return {
    get: async (path: string): Promise<unknown> => (await send(path)).json(),
    read: (path: string): Promise<Response> => send(path),
    post: write('POST'),
    /** Uploads a file. A large one goes in parts, and goes on after a broken connection. */
    async upload(body: Blob, name: string): Promise<unknown> {
      if (!needsParts(body)) return (await send(`/v1/files?name=${encodeURIComponent(name)}`, { method: 'POST', body })).json()
      const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
      return sendInParts({ uploads: new URL(`${url}/v1/uploads`), headers, body, name })
    },
    put: write('PUT'),
    delete: async (path: string): Promise<unknown> => (await send(path, { method: 'DELETE' })).json(),
    async *stream(path: string, body: unknown): AsyncGenerator<unknown> {
      const response = await send(path, { method: 'POST', body: JSON.stringify(body), headers: { accept: 'text/event-stream' } })
      yield* eventsOf(response)
    },
  }
}

async function* eventsOf({ body }: Response): AsyncGenerator<unknown> {
  try {
    if (body) yield* readEvents(body)
  } catch (cause) {
    throw new Error('The connection broke off before the answer came.', { cause })
  }
}
