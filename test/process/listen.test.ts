import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { listen } from '../../src/process/listen.ts'

test('a server closes only after the handler of a client that left has ended', async () => {
  const begun = Promise.withResolvers<void>()
  const work = Promise.withResolvers<void>()
  const steps: string[] = []
  const server = await listen({
    host: '127.0.0.1',
    port: 0,
    async fetch() {
      begun.resolve()
      await work.promise
      steps.push('handler ended')
      return new Response('')
    },
  })
  const socket = connect(server.port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n')
  await begun.promise
  socket.destroy()
  const closed = server.close().then(() => steps.push('server closed'))
  // The server notices the closed connection before the work ends.
  setTimeout(work.resolve, 100)
  await closed
  expect(steps).toEqual(['handler ended', 'server closed'])
})
