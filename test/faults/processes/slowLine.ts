import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * A line to a server that is `ms` away: every byte arrives so much later, in both directions, and in order.
 * @param url of the server; @returns the URL by which it is reached over the line
 */
export const openSlowLine = async (url: string, ms: number) => {
  const far = new URL(url)
  const open = new Set<Socket>()
  const server = createServer({ noDelay: true }, near => {
    const server = connect({ port: Number(far.port), host: far.hostname, noDelay: true })
    carry(near, server)
    carry(server, near)
  }).listen(0, '127.0.0.1')
  const carry = (from: Socket, to: Socket) => {
    open.add(from)
    from.on('error', () => to.destroy())
    from.on('data', bytes => void delay(ms).then(() => to.write(bytes)))
    from.on('close', () => {
      open.delete(from)
      void delay(ms).then(() => to.destroy())
    })
  }
  await once(server, 'listening')
  const near = new URL(url)
  near.port = String((server.address() as AddressInfo).port)
  return {
    url: near.href,
    /** From now on no byte of the open connections arrives, and nobody is told. New connections work. */
    cut: () => {
      for (const it of open) it.pause()
    },
    stop: async () => {
      for (const it of open) it.destroy()
      server.close()
    },
  }
}
