import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Context } from 'hono'

type Variant = { bytes: Uint8Array<ArrayBuffer>; headers: Record<string, string> }

/**
 * Returns a handler of a document that is the same for everybody and never changes while the process runs. It is made at its
 * first request, and kept as bytes with an ETag, so that no other request costs more than sending it.
 * @param headers further headers of its responses, with the content type
 */
export const serveDocument = (make: () => string, headers: Record<string, string>): ((c: Context) => Response) => {
  let made: { plain: Variant; gzipped: Variant } | undefined
  const makeOnce = () => {
    const bytes = Buffer.from(make())
    const toVariant = (of: Buffer, more: Record<string, string>): Variant => ({
      bytes: new Uint8Array(of),
      headers: {
        ...headers,
        ...more,
        vary: 'accept-encoding',
        etag: `"${createHash('sha256').update(of).digest('hex').slice(0, 16)}"`,
      },
    })
    return { plain: toVariant(bytes, {}), gzipped: toVariant(gzipSync(bytes, { level: 9 }), { 'content-encoding': 'gzip' }) }
  }
  return c => {
    made ??= makeOnce()
    const { bytes, headers: given } = /\bgzip\b/.test(c.req.header('accept-encoding') ?? '') ? made.gzipped : made.plain
    const isKnown = given.etag !== undefined && c.req.header('if-none-match') === given.etag
    return isKnown ? c.body(null, 304, given) : c.body(bytes, 200, given)
  }
}
