import type { MiddlewareHandler } from 'hono'
import { compress } from 'hono/compress'

/** Below this many bytes a compressed answer saves nothing on the wire. */
const threshold = 1_024

const compressed = compress({ threshold, contentTypeFilter: /^application\/(?:[\w.-]+\+)?json\b/i })

/**
 * Compresses JSON for who accepts that. Event streams stay as they are: each event is to arrive at once. An answer with an entity
 * tag stays as well, because its tag would become a weak one, which no If-Match fits (RFC 9110, 13.1.1).
 */
export const compressJson: MiddlewareHandler = async (c, next) => {
  await next()
  if (!c.res.headers.has('etag')) await compressed(c, async () => undefined)
}
