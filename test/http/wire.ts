import { type IncomingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { parseJson } from '../../src/domain/json.ts'
import { until } from '../service.ts'

type Sent = {
  method?: string
  /** Sent as it is: neither normalised nor encoded. */
  path: string
  headers?: Record<string, string>
  body?: string | Buffer
  /** Sent in chunks, without a Content-Length. */
  chunked?: boolean
}

export type Answer = { status: number; headers: IncomingHttpHeaders; text: string; json: unknown; code: string | undefined }

/** Sends one request, byte for byte as given. */
export const send = (url: string, { method = 'GET', path, headers = {}, body, chunked }: Sent): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const length = body === undefined || chunked ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const out = request({ hostname, port, method, path, headers: { ...length, ...headers }, agent: false }, answer => {
      text(answer).then(said => {
        const json = parseJson(said)
        const code = z.object({ code: z.string() }).safeParse(json).data?.code
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: said, json, code })
      }, reject)
    })
    out.on('error', reject)
    if (chunked && body !== undefined) out.write(body)
    out.end(chunked ? undefined : body)
  })

export const post = (url: string, path: string, body: unknown, token?: string): Promise<Answer> =>
  send(url, {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

export const get = (url: string, path: string, token?: string): Promise<Answer> =>
  send(url, { path, headers: token ? { authorization: `Bearer ${token}` } : {} })

/** Waits until search finds an agent's offering. A new one is findable within a second, not at once. */
export const untilFindable = (url: string, query: string, handle: string) =>
  until(`${handle} to be found`, async () => {
    const { text } = await get(url, `/offerings/search?query=${encodeURIComponent(query)}`)
    return text.includes(`"agent_handle":"${handle}"`)
  })
