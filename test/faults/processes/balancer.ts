import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Passes each connection to one of the processes in turn, and to the next one where nobody listens. */
export const startBalancer = async (portsNow: () => number[]) => {
  let turn = 0
  const open = new Map<Socket, number>()
  const pass = (outer: Socket, ports: number[]) => {
    const [port, ...others] = ports
    if (port === undefined) return outer.destroy()
    const inner = connect(port, '127.0.0.1')
    inner.once('error', () => pass(outer, others))
    inner.once('connect', () => {
      inner.removeAllListeners('error').on('error', () => outer.destroy())
      inner.on('close', () => outer.destroy())
      outer.pipe(inner).pipe(outer)
      open.set(outer, port)
    })
    outer.on('close', () => inner.destroy())
  }
  const server = createServer(outer => {
    outer.on('error', () => undefined).on('close', () => open.delete(outer))
    const ports = portsNow()
    turn += 1
    const first = turn % Math.max(ports.length, 1)
    pass(outer, [...ports.slice(first), ...ports.slice(0, first)])
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    /** Closes the connections of one process, as a balancer does that found it silent. */
    drop(of: number) {
      for (const [outer, port] of open) if (port === of) outer.destroy()
    },
    async stop() {
      for (const outer of open.keys()) outer.destroy()
      server.close()
    },
  }
}
