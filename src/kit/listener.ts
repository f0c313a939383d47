import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'
import { toUrlHost } from '../domain/net/urlHost.ts'

/**
 * Serves an app on its own port. Rejects when the port is not available.
 * @param port 0 uses any free port
 * @returns the base URL without a trailing slash; `close` also ends open requests
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
