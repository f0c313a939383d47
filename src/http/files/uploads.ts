import type { Context } from 'hono'
import { nameIn } from '../../domain/files/fileName.ts'
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
  const bytes = whole(c.req.raw.body)
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

/** The chunks of a body. A client that breaks off is no error of the service. */
async function* whole(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader()
  try {
    for (;;) {
      const { done, value } = (await reader?.read().catch(refuseBroken)) ?? { done: true, value: undefined }
      if (done) return
      yield value
    }
  } finally {
    await reader?.cancel().catch(() => undefined)
  }
}

const refuseBroken = (): never => {
  throw new Problem('invalid-input', 'The connection broke off before the whole file came.')
}
