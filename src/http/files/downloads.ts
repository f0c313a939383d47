import type { Context } from 'hono'
import { readRange } from '../../domain/files/byteRange.ts'
import { toDisposition } from '../../domain/files/fileName.ts'
import { toServedType } from '../../domain/files/mediaType.ts'
import { Problem } from '../../domain/problem.ts'
import type { OpenFile } from '../../operations/files/ownFiles.ts'

/**
 * Sends a file, or a range of it (RFC 9110, section 14). A browser saves it and never executes it, whatever it is. The first
 * bytes are read before the head is sent, so that a store of files which does not answer is a status and no broken download.
 * @throws Problem range-not-satisfiable, files-unavailable
 */
export const answerFile = async (c: Context, { file, open }: OpenFile, sending: Sending): Promise<Response> => {
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
  const { start, end } = range && range !== 'none' ? range : { start: 0, end: file.bytes }
  const isSame = isKnown(c.req.header('if-none-match'), tag)
  const hasBody = !isSame && range !== 'none' && c.req.method !== 'HEAD' && end > start
  if (!hasBody) sending.onEnd()
  if (isSame) return c.body(null, 304, headers)
  if (range === 'none') {
    c.header('content-range', `bytes */${file.bytes}`)
    throw new Problem('range-not-satisfiable', `The file has ${file.bytes} bytes.`)
  }
  headers['content-length'] = String(end - start)
  if (range) headers['content-range'] = `bytes ${start}-${end - 1}/${file.bytes}`
  return new Response(hasBody ? await toStream(open({ start, end }), sending) : null, { status: range ? 206 : 200, headers })
}

const isKnown = (header: string | undefined, tag: string): boolean =>
  (header ?? '').split(',').some(it => ['*', tag].includes(it.trim().replace(/^W\//, '')))

type Sending = {
  /** How long a client may read nothing, in ms. */
  stalledMs: number
  onEnd(): void
  /** Closes the connection: the head has announced more bytes than will come. */
  cut(): void
  log(error: unknown): void
}

/**
 * A stream that reads as fast as its client. It stops when the client goes, or reads nothing for a while. Its first piece is read
 * before it begins.
 */
const toStream = async (bytes: AsyncIterable<Uint8Array>, sending: Sending): Promise<ReadableStream<Uint8Array>> => {
  const { stalledMs, onEnd, cut, log } = sending
  const iterator = bytes[Symbol.asyncIterator]()
  let timer: NodeJS.Timeout | undefined
  const end = async () => {
    clearTimeout(timer)
    onEnd()
    await iterator.return?.()
  }
  const next = () =>
    iterator.next().catch(async (error: unknown) => {
      await end()
      throw error
    })
  let first: IteratorResult<Uint8Array> | undefined = await next()
  return new ReadableStream({
    async pull(controller) {
      clearTimeout(timer)
      const read = first ?? (await next().catch(log))
      first = undefined
      if (!read) return cut()
      if (read.done) {
        await end()
        return controller.close()
      }
      controller.enqueue(read.value)
      timer = setTimeout(() => {
        cut()
        void end()
      }, stalledMs).unref()
    },
    cancel: end,
  })
}
