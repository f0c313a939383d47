import type { MiddlewareHandler } from 'hono'
import { compress } from 'hono/compress'

/** In bytes. A smaller response is sent in three packets at most, and compressing it costs more than reading a run. */
const threshold = 4_096

const compressed = compress({ threshold, contentTypeFilter: /^application\/(?:[\w.-]+\+)?json\b/i })

/**
 * Compresses JSON responses when the client accepts it. Event streams stay uncompressed, so that each event arrives at once.
 * Responses with an ETag also stay uncompressed: compression would make the tag weak, and If-Match never matches a weak tag
 * (RFC 9110, section 13.1.1).
 */
export const compressJson: MiddlewareHandler = async (c, next) => {
  await next()
  if (!c.res.headers.has('etag')) await compressed(c, async () => undefined)
}
