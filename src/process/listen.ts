import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { serve } from '@hono/node-server'
import { limits } from '../domain/limits.ts'
import { toUrlHost } from '../domain/net/urlHost.ts'

/** The second argument is the connection of the request. */
type Fetch = (request: Request, connection: object) => Response | Promise<Response>

type Place = { fetch: Fetch; host: string; port: number; requestMs?: number }

export type Listening = { url: string; port: number; close(): Promise<void> }

/** Agents poll every three seconds, so a longer idle time lets them reuse their connection. */
const keepAliveMs = 75_000
const closeMs = 5_000
const closeStepMs = 50

/**
 * Serves requests until close(), which lets running responses end and then closes the remaining connections. It resolves when
 * the handlers of those connections have ended too, at most `closeMs` later.
 * @throws Error with a message for the operator when the port is not available
 */
export const listen = ({ fetch, host, port, requestMs = limits.requestMs }: Place): Promise<Listening> =>
  new Promise((resolve, reject) => {
    const serverOptions = { requestTimeout: 0, headersTimeout: requestMs, connectionsCheckingInterval: requestMs / 2 }
    const handling = trackHandlers(fetch)
    const server = serve({ fetch: handling.fetch, hostname: host, port, serverOptions }, info => {
      resolve({
        url: `http://${toUrlHost(host)}:${info.port}`,
        port: info.port,
        close: () => close(server, silent).then(handling.ended),
      })
    }) as Server
    const silent = silentConnections(server)
    server.on('request', (request, response) => {
      silent.delete(request.socket)
      endLate(request, response, requestMs)
    })
    server.on('error', (error: NodeJS.ErrnoException) => reject(toReason(error, `${host}:${port}`)))
    server.keepAliveTimeout = keepAliveMs
  })

/**
 * Ends a request whose body comes too slowly. Node has one limit for all, and a large file on a slow line takes longer. A request
 * that announces no body is whole with its headers, as polls are.
 */
const endLate = (request: IncomingMessage, response: ServerResponse, requestMs: number): void => {
  if (request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined) return
  const announced = Number(request.headers['content-length'] ?? 0)
  const late = setTimeout(
    () => {
      if (request.complete || request.destroyed) return
      if (response.headersSent) request.destroy()
      else request.socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n')
    },
    requestMs + (Math.min(announced, limits.fileBytesOfUser) / limits.bodyBytesASecond) * 1_000,
  )
  for (const event of ['end', 'close']) request.once(event, () => clearTimeout(late))
}

/** Wraps a handler. `ended` resolves when all of its calls have ended, or after a limit. */
const trackHandlers = (fetch: Fetch): { fetch: Fetch; ended(): Promise<void> } => {
  const running = new Set<Promise<unknown>>()
  return {
    fetch(...asked) {
      const answer = fetch(...asked)
      if (answer instanceof Promise) {
        running.add(answer)
        void answer.catch(() => undefined).finally(() => running.delete(answer))
      }
      return answer
    },
    ended: async () => void (await Promise.race([Promise.allSettled(running), delay(closeMs, undefined, { ref: false })])),
  }
}

/** Connections without a request so far. Clients open them in advance, and Node does not count them as idle. */
const silentConnections = (server: Server): Set<Socket> => {
  const silent = new Set<Socket>()
  server.on('connection', socket => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  return silent
}

const toReason = (error: NodeJS.ErrnoException, place: string): Error => {
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new Error(`${place} is no address of this machine. Set HOST to one, or to 0.0.0.0.`, { cause: error })
  if (error.code !== 'EADDRINUSE') return error
  return new Error(`Another process already listens on ${place}. Stop it, or set PORT to another port.`, { cause: error })
}

const close = (server: Server, silent: ReadonlySet<Socket>): Promise<void> =>
  new Promise(resolve => {
    const idle = setInterval(() => server.closeIdleConnections(), closeStepMs)
    const late = setTimeout(() => server.closeAllConnections(), closeMs)
    server.close(() => {
      clearInterval(idle)
      clearTimeout(late)
      resolve()
    })
    for (const socket of silent) socket.destroy()
  })
