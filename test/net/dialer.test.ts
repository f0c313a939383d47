import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { limits } from '../../src/domain/limits.ts'
import { createDialer } from '../../src/net/dialer.ts'
import { certificate, privateKey } from './certificate.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const listen = async (server: Server, host = '127.0.0.1', port = 0) => {
  await new Promise<void>(done => server.listen(port, host, done))
  const sockets = new Set<Socket>()
  server.on('connection', socket => sockets.add(socket))
  server.on('secureConnection', socket => sockets.add(socket))
  ends.push(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise(done => server.close(done))
  })
  const address: AddressInfo | string | null = server.address()
  return z.object({ port: z.number() }).parse(address).port
}
const serve = (answer: RequestListener) => listen(createServer(answer))

/** Starts a server that records its requests. */
const serveEcho = (host?: string, port?: number) => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} http://${request.headers.host}${request.url}`)
    response.end('{"content":"hi"}')
  })
  return listen(server, host, port).then(at => ({ port: at, asked }))
}

const local = createDialer({ allowsPrivate: true, timeoutMs: 300 })
const post = (port: number, dialer = local, host = '127.0.0.1') =>
  dialer.post(new URL(`http://${host}:${port}/invoke`), { message: 'hi' })
const notAllowed = { type: 'endpoint-not-allowed' }
const unreachable = { type: 'agent-unreachable' }

test.each([
  ['6.3 row 28: a name that leads to a private address', ['10.0.0.1']],
  ['6.3 row 28: a name with two addresses, one of them private', ['8.8.8.8', '127.0.0.1']],
  ['6.3 row 28: a name with a public address and a private one of IPv6', ['8.8.8.8', 'fd00::1']],
  ['fault 58: a name that turned private after it was registered', ['127.0.0.1']],
  ['fault 58: a name that leads to the metadata of a cloud', ['169.254.169.254']],
  ['a name that hides a private address in IPv6', ['::ffff:127.0.0.1']],
  ['a name server that answers with no address at all but a name', ['localhost']],
])('no connection is opened to %s', async (_name, addresses) => {
  const { port, asked } = await serveEcho()
  const dialer = createDialer({ allowsPrivate: false, resolve: async () => addresses })
  await expect(post(port, dialer, 'agent.example')).rejects.toMatchObject(notAllowed)
  expect(asked).toEqual([])
})

test('6.3 row 28: a name is resolved once for each call, and the connection goes to the address that was checked', async () => {
  const first = await serveEcho('127.0.0.1')
  const second = await serveEcho('127.0.0.2', first.port)
  const answers = [['127.0.0.1'], ['127.0.0.2']]
  const lookedUp: string[] = []
  const resolve = async (name: string) => {
    lookedUp.push(name)
    return answers[lookedUp.length - 1] ?? []
  }
  const dialer = createDialer({ allowsPrivate: true, resolve })
  await expect(post(first.port, dialer, 'agent.example')).resolves.toEqual({ status: 200, body: '{"content":"hi"}' })
  expect([first.asked, second.asked, lookedUp]).toEqual([
    [`POST http://agent.example:${first.port}/invoke`],
    [],
    ['agent.example'],
  ])
  await post(first.port, dialer, 'agent.example')
  expect([first.asked.length, second.asked.length, lookedUp.length]).toEqual([1, 1, 2])
})

test('6.3 row 28: a name that resolves to a public address first and a private one later is refused then', async () => {
  const { port, asked } = await serveEcho()
  const answers = [[], ['127.0.0.1']]
  const dialer = createDialer({ allowsPrivate: false, resolve: async () => answers.shift() ?? [] })
  await expect(post(port, dialer, 'agent.example')).rejects.toMatchObject(unreachable)
  await expect(post(port, dialer, 'agent.example')).rejects.toMatchObject(notAllowed)
  expect(asked).toEqual([])
})

test('a literal address is checked without a DNS lookup', async () => {
  const { port, asked } = await serveEcho()
  const dialer = createDialer({ allowsPrivate: false, resolve: async () => ['8.8.8.8'] })
  for (const host of ['127.0.0.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]'])
    await expect(post(port, dialer, host)).rejects.toMatchObject(notAllowed)
  expect(asked).toEqual([])
})

test('6.3 row 28, fault 57: a redirect is not followed', async () => {
  const hidden = await serveEcho()
  const port = await serve((_request, response) =>
    response.writeHead(302, { location: `http://127.0.0.1:${hidden.port}/` }).end(),
  )
  expect(await post(port)).toEqual({ status: 302, body: '' })
  expect(hidden.asked).toEqual([])
})

test('6.3 row 28: a certificate for another name is refused, and one for the right name is accepted', async () => {
  const before = getCACertificates()
  setDefaultCACertificates([...before, certificate])
  ends.push(() => setDefaultCACertificates(before))
  const server = createSecureServer({ cert: certificate, key: privateKey }, (_request, response) => response.end('{}'))
  const port = await listen(server)
  const dialer = createDialer({ allowsPrivate: true, resolve: async () => ['127.0.0.1'] })
  await expect(dialer.post(new URL(`https://agent.test:${port}`), {})).resolves.toEqual({ status: 200, body: '{}' })
  await expect(dialer.post(new URL(`https://other.test:${port}`), {})).rejects.toMatchObject(unreachable)
  await expect(dialer.post(new URL(`https://127.0.0.1:${port}`), {})).rejects.toMatchObject(unreachable)
})

const drip = (response: ServerResponse) => {
  const timer = setInterval(() => response.write(' '), 20)
  response.on('close', () => clearInterval(timer))
}
const hugeBody = '"'.padEnd(limits.callBytes + 1, 'a')

test.each<[string, RequestListener]>([
  ['that never answers', () => undefined],
  ['that answers a byte at a time', (_request, response) => drip(response)],
  ['that answers more than 1 MiB', (_request, response) => response.end(hugeBody)],
  [
    'that says how much it would answer and goes away',
    (_request, response) => void response.writeHead(200, { 'content-length': 9 }).write('{', () => response.destroy()),
  ],
  ['that goes away at once', request => request.socket.destroy()],
  [
    'that answers in an encoding nobody asked for',
    (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
  ],
  ['whose answer is no text', (_request, response) => response.end(Buffer.from([0xff, 0xfe]))],
])('fault 57: an endpoint %s counts as unreachable within the time limit', async (_name, answer) => {
  const port = await serve(answer)
  await expect(post(port)).rejects.toMatchObject(unreachable)
})

test('fault 57: only the first of two answers is read, and a missing endpoint is unreachable', async () => {
  const once = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'
  const port = await listen(
    createTcpServer(socket => socket.on('error', () => undefined).once('data', () => socket.write(once + once))),
  )
  expect(await post(port)).toEqual({ status: 200, body: '{}' })
  const closed = await listen(createTcpServer())
  for (const end of ends.splice(-1)) await end()
  await expect(post(closed)).rejects.toMatchObject(unreachable)
})

test('fault 57: the error status of an endpoint is reported, and the whole body was sent', async () => {
  const bodies: string[] = []
  const port = await serve((request, response) => {
    request.setEncoding('utf8').on('data', it => bodies.push(it))
    request.on('end', () => response.writeHead(500).end('no'))
  })
  expect(await post(port)).toEqual({ status: 500, body: 'no' })
  expect(bodies.join('')).toBe('{"message":"hi"}')
})

test('a silent name server is waited for no longer than an agent', async () => {
  const dialer = createDialer({ allowsPrivate: false, timeoutMs: 50, resolve: () => new Promise(() => undefined) })
  await expect(post(80, dialer, 'agent.example')).rejects.toMatchObject(unreachable)
})

test('a caller who aborts gets an answer at once', async () => {
  const port = await serve(() => undefined)
  await expect(local.post(new URL(`http://127.0.0.1:${port}`), {}, AbortSignal.abort())).rejects.toMatchObject(unreachable)
})
