import type { Context } from 'hono'
import { readRange } from '../domain/files/byteRange.ts'
import { toDisposition } from '../domain/files/fileName.ts'
import { toServedType } from '../domain/files/mediaType.ts'
import { Problem } from '../domain/problem.ts'
import type { OpenFile } from '../operations/files/readFile.ts'

/**
 * Sends a file, or a range of it (RFC 9110, section 14). A browser saves it and never executes it, whatever it is.
 * @throws Problem range-not-satisfiable
 */
export const answerFile = (c: Context, { file, open }: OpenFile): Response => {
  const tag = `"${file.sha256}"`
  const asked = c.req.header('if-range') ?? tag
  const range = asked === tag ? readRange(c.req.header('range'), file.bytes) : undefined
  const headers: Record<string, string> = {
    etag: tag,
    'accept-ranges': 'bytes',
    'content-type': toServedType(file.mediaType),
    'content-disposition': toDisposition(file.name),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'same-origin',
  }
  if (isKnown(c.req.header('if-none-match'), tag)) return c.body(null, 304, headers)
  if (range === 'none') {
    c.header('content-range', `bytes */${file.bytes}`)
    throw new Problem('range-not-satisfiable', `The file has ${file.bytes} bytes.`)
  }
  const { start, end } = range ?? { start: 0, end: file.bytes }
  headers['content-length'] = String(end - start)
  if (range) headers['content-range'] = `bytes ${start}-${end - 1}/${file.bytes}`
  const body = c.req.method === 'HEAD' || end === start ? null : toStream(open({ start, end }))
  return new Response(body, { status: range ? 206 : 200, headers })
}

const isKnown = (header: string | undefined, tag: string): boolean =>
  (header ?? '').split(',').some(it => ['*', tag].includes(it.trim().replace(/^W\//, '')))

/** A stream that reads as fast as its client, and stops reading when the client goes. */
const toStream = (bytes: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> => {
  const iterator = bytes[Symbol.asyncIterator]()
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await iterator.next()
        if (done) controller.close()
        else if (value.length > 0) controller.enqueue(value)
      },
      cancel: async () => void (await iterator.return?.()),
    },
    { highWaterMark: 1 },
  )
}
