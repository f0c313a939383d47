import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { limits } from '../domain/limits.ts'
import { type BodyEnd, type PaidAnswer, saysUnsettled, toInlineContent } from '../domain/x402/paidAnswer.ts'
import type { KeepPart } from '../ports.ts'

/**
 * Reads the answer to a paid request, up to `limits.resourceBytes`, and returns what arrived, also when the connection breaks. A
 * successful answer that does not fit into one text is stored in parts, so that at most two of them are in memory. The parts of
 * an earlier answer to the same purchase are replaced.
 */
export const readPaid = async (answer: IncomingMessage, keep: KeepPart): Promise<PaidAnswer> => {
  const [status, contentType] = [answer.statusCode ?? 0, answer.headers['content-type'] ?? '']
  const isGood = status >= 200 && status < 300
  const body = bounded(decoded(answer), isGood ? limits.resourceBytes : limits.resourcePartBytes)
  let head: Buffer = Buffer.alloc(0)
  let [bytes, parts] = [0, 0]
  try {
    for await (const part of inParts(body.chunks)) {
      if (bytes === 0) head = part
      if (bytes > 0 && parts === 0) await keep(parts++, head)
      if (bytes > 0) await keep(parts++, part)
      bytes += part.length
    }
    const ending = body.ending()
    const isInline = toInlineContent({ head, bytes, ending, contentType }) !== undefined
    if (isGood && !isInline && parts === 0 && bytes > 0) await keep(parts++, head)
    const settled = answer.headers['payment-response']
    const isUnsettled = saysUnsettled(Array.isArray(settled) ? settled[0] : settled)
    return { status, contentType, head, bytes, parts, ending, isUnsettled }
  } finally {
    answer.destroy()
  }
}

const decoders: Record<string, () => NodeJS.ReadWriteStream & Readable> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** Some sellers compress although the request does not accept it. Bytes in an unknown encoding are kept as they are. */
const decoded = (answer: IncomingMessage): AsyncIterable<Buffer> => {
  const decoder = decoders[answer.headers['content-encoding']?.toLowerCase() ?? '']?.()
  // An error of either stream ends the reading of the decoder.
  return decoder ? pipeline(answer, decoder, () => undefined) : answer
}

/** Reads at most `max` bytes. Afterwards `ending` says how the body ended. */
const bounded = (body: AsyncIterable<Buffer>, max: number) => {
  let ending: BodyEnd = 'early'
  const read = async function* () {
    let room = max
    try {
      for await (const chunk of body) {
        yield chunk.subarray(0, room)
        if (chunk.length > room) {
          ending = 'cut'
          return
        }
        room -= chunk.length
      }
      ending = 'whole'
    } catch {
      // The seller closed the connection, or the time is over.
    }
  }
  return { chunks: read(), ending: () => ending }
}

/** Collects chunks, which may have one byte each, in parts of equal size. The last part is shorter. */
const inParts = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let part = Buffer.allocUnsafeSlow(limits.resourcePartBytes)
  let length = 0
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length; ) {
      const copied = chunk.copy(part, length, from)
      from += copied
      length += copied
      if (length < part.length) continue
      yield part
      part = Buffer.allocUnsafeSlow(limits.resourcePartBytes)
      length = 0
    }
  }
  if (length > 0) yield part.subarray(0, length)
}
