import { z } from 'zod'
import { fileLink, fileRecord } from '../../src/records/file.ts'

/** The smallest PNG: one pixel. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

type Sender = { url: string; token?: string | undefined; secret?: string }
const toHeaders = ({ token, secret }: Sender): Record<string, string> => ({
  ...(token && { authorization: `Bearer ${token}` }),
  ...(secret && { 'x-agent-secret': secret }),
})

type Sent = { bytes: Uint8Array | ReadableStream; type?: string; name?: string; path?: string }

/** Sends the bytes of a file as the body of a request. */
export const sendFile = (of: Sender, { bytes, type = 'application/octet-stream', name, path = '/v1/files' }: Sent) =>
  fetch(`${of.url}${path}${name === undefined ? '' : `?name=${encodeURIComponent(name)}`}`, {
    method: 'POST',
    headers: { ...toHeaders(of), 'content-type': type },
    body: new Uint8Array(bytes instanceof Uint8Array ? bytes : []),
  })

/** Uploads a file that is taken. @throws Error when it is refused */
export const upload = async (of: Sender, sent: Sent) => {
  const answer = await sendFile(of, sent)
  const body: unknown = await answer.json()
  if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(body)}`)
  return fileRecord.parse(body)
}

export const getFile = (of: Sender, id: string, headers: Record<string, string> = {}) =>
  fetch(`${of.url}/v1/files/${id}`, { headers: { ...toHeaders(of), ...headers } })

export const makeLink = async (of: Sender, id: string) => {
  const answer = await fetch(`${of.url}/v1/files/${id}/link`, { method: 'POST', headers: toHeaders(of) })
  return { status: answer.status, link: fileLink.safeParse(await answer.json()).data }
}

const problem = z.object({ code: z.string(), detail: z.string() })
export const refusalOf = async (answer: Response) => ({ status: answer.status, ...problem.parse(await answer.json()) })
