import type { Server } from 'node:http'
import { serve } from '@hono/node-server'

type Fetch = (request: Request) => Response | Promise<Response>

export type Listening = { url: string; port: number; close(): Promise<void> }

/** Agents poll every three seconds; a connection that lives longer than that is used again. */
const keepAliveMs = 75_000
const closeMs = 5_000
const closeStepMs = 50

/** Listens until close(), which lets running answers end, then cuts what is left. */
export const listen = ({ fetch, host, port }: { fetch: Fetch; host: string; port: number }): Promise<Listening> =>
  new Promise((resolve, reject) => {
    const server = serve({ fetch, hostname: host, port }, info => {
      const shown = info.family === 'IPv6' ? `[${info.address}]` : info.address
      resolve({ url: `http://${shown}:${info.port}`, port: info.port, close: () => close(server as Server) })
    })
    server.on('error', reject)
    if ('keepAliveTimeout' in server) server.keepAliveTimeout = keepAliveMs
  })

const close = (server: Server): Promise<void> =>
  new Promise(resolve => {
    const idle = setInterval(() => server.closeIdleConnections(), closeStepMs)
    const late = setTimeout(() => server.closeAllConnections(), closeMs)
    server.close(() => {
      clearInterval(idle)
      clearTimeout(late)
      resolve()
    })
  })
