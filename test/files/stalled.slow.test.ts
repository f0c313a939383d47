import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { limits } from '../../src/domain/limits.ts'
import { openDoor, openSocket } from '../security/street.ts'
import { startTestService, type TestService } from '../service.ts'
import { getFile, upload } from './wire.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService()
})
afterAll(() => market?.stop())

test('a download whose reader stops reading is cut off without a word in the log, and its place is free again', async () => {
  const written = vi.spyOn(console, 'error')
  const logged: unknown[] = []
  const { token } = await market.user('ada')
  // More than the socket buffers of both sides hold.
  const { file_id } = await upload({ url: market.url, token }, { bytes: randomBytes(20_000_000) })
  const door = await openDoor(market, { stalledMs: 300, log: it => logged.push(it) })
  const stalled = await Promise.all(
    Array.from({ length: limits.fileTransfersOfOne }, async () => {
      const socket = (await openSocket(door.url)).pause()
      socket.write(`GET /v1/files/${file_id} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`)
      return socket
    }),
  )
  const ask = () => getFile({ url: door.url, token }, file_id)
  await expect.poll(async () => (await ask()).status).toBe(503)
  await expect.poll(async () => (await ask()).status, { timeout: 10_000 }).toBe(200)
  for (const socket of stalled) {
    let taken = 0
    socket.on('data', chunk => {
      taken += chunk.length
    })
    socket.on('error', () => undefined).resume()
    await once(socket, 'close')
    expect(taken).toBeLessThan(20_000_000)
  }
  expect([written.mock.calls, logged]).toEqual([[], []])
  await door.close()
}, 30_000)
