import { z } from 'zod'
import { ask, repeat } from './repeat.ts'

/** Bytes of one part. After a broken connection, at most so many are sent again. */
const partBytes = 8 * 1_024 * 1_024

const file = z.looseObject({ file_id: z.string() })
const upload = z.object({ upload_id: z.string(), offset: z.number(), file: file.nullable() })

/** What is uploaded, and the collection of uploads with the query that proves the right to it. */
type Sending = { uploads: URL; headers?: Record<string, string>; body: Blob; name: string }

/** Whether a file is sent in parts. One that fits a part is sent at once. */
export const needsParts = (body: Blob): boolean => body.size > partBytes

/**
 * Uploads a file in parts, and goes on where it was after a broken connection or a failure that may pass.
 * @returns the record of the file
 * @throws Error when the platform refuses the file, or does not come back
 */
export const sendInParts = async ({ uploads, headers = {}, body, name }: Sending): Promise<z.infer<typeof file>> => {
  const begin = JSON.stringify({ name, bytes: body.size, ...(body.type && { type: body.type }) })
  const asJson = { ...headers, 'content-type': 'application/json' }
  let now = await repeat(() => ask(uploads, { method: 'POST', headers: asJson, body: begin }, upload))
  const at = new URL(uploads)
  at.pathname += `/${now.upload_id}`
  const goOn = async (from: number) => {
    const ofPart = { ...headers, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(from) }
    const part = body.slice(from, from + partBytes)
    const sent = await ask(at, { method: 'PATCH', headers: ofPart, body: part }, z.unknown()).catch((error: unknown) => error)
    // A part whose answer was lost may be there all the same, or the beginning of it.
    const there = await ask(at, { headers }, upload)
    if (there.file || there.offset > from) return there
    throw sent instanceof Error ? sent : new Error('nothing of a part came')
  }
  while (!now.file) {
    const { offset } = now
    now = await repeat(() => goOn(offset))
  }
  return now.file
}
