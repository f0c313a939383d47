import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'

/**
 * Serves an app on its own port. Rejects when the port cannot be had.
 * @param port 0 takes a free one
 * @returns the base URL without a slash at its end; `close` also ends requests that are still open
 */
export const listen = async (app: Hono, host: string, port: number): Promise<{ url: string; close: () => Promise<void> }> => {
  const server = createAdaptorServer({ fetch: app.fetch })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const bound = server.address()
  const close = () =>
    new Promise<void>(resolve => {
      server.close(() => resolve())
      if ('closeAllConnections' in server) server.closeAllConnections()
    })
  return { url: `http://${toUrlHost(host)}:${typeof bound === 'object' ? (bound?.port ?? port) : port}`, close }
}

/** An address that listens everywhere cannot be dialled by that name. */
const toUrlHost = (host: string) => {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
