import { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { Context } from 'hono'
import { z } from 'zod'
import { nameIn } from '../../domain/files/fileName.ts'
import { free } from '../../domain/files/free.ts'
import { Problem } from '../../domain/problem.ts'
import type { Upload } from '../../ports.ts'
import { readFilePart } from './multipart.ts'

/**
 * The file in the body of a request, unread: the body itself, or the first file of a form.
 * @throws Problem unsupported-media-type, invalid-input
 */
export const readUpload = async (c: Context): Promise<Upload> => {
  const encoding = c.req.header('content-encoding') ?? 'identity'
  if (encoding.toLowerCase() !== 'identity')
    throw new Problem('unsupported-media-type', 'Send the bytes of a file without a Content-Encoding.')
  const type = c.req.header('content-type')
  const bytes = whole(bodyOf(c))
  const [, quoted, bare] = /^multipart\/form-data\s*;.*?\bboundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(type ?? '') ?? []
  const boundary = quoted ?? bare
  if (boundary !== undefined) return readFilePart(bytes, boundary)
  const length = c.req.header('content-length')
  return {
    bytes,
    length: length === undefined ? undefined : Number(length),
    declaredType: type,
    name: nameIn(c.req.header('content-disposition')),
  }
}

const connection = z.object({ incoming: z.instanceof(IncomingMessage) })

/** The body as Node reads it. A web stream in between would copy each chunk. The connection stays open for the answer. */
const bodyOf = (c: Context): AsyncIterable<Uint8Array> =>
  connection.safeParse(c.env).data?.incoming.iterator({ destroyOnReturn: false }) ?? c.req.raw.body ?? Readable.from([])

/** The chunks of a body, each freed when the next one is asked for. A client that breaks off is no error of the service. */
async function* whole(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await chunks.next().catch(refuseBroken)
      if (done) return
      yield value
      free(value)
    }
  } finally {
    await chunks.return?.().catch(() => undefined)
  }
}

const refuseBroken = (): never => {
  throw new Problem('invalid-input', 'The connection broke off before the whole file came.')
}
