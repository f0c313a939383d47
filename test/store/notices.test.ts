import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import pg from 'pg'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { everyChannel } from '../../src/domain/net/channels.ts'
import { createWakeups } from '../../src/process/wakeups.ts'
import { openNotifications } from '../../src/store/engine/notifications.ts'
import { openSlowLine } from '../faults/processes/slowLine.ts'
import { until } from '../service.ts'
import { server } from './server.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (let close = closers.pop(); close; close = closers.pop()) await close()
})

const open = (url: string) => {
  const heard: string[] = []
  const wakeups = createWakeups()
  wakeups.on(channel => heard.push(channel))
  const notices = openNotifications({ url, name: randomUUID(), wakeups })
  closers.push(notices.close)
  return heard
}

const say = async (payload: string) => {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(`select pg_notify('marketplace', $1)`, [payload])
  await client.end()
}

/** A port that refuses connections until it leads to PostgreSQL. */
const openDoor = async () => {
  const { hostname, port } = new URL(server ?? '')
  const door: Server = createServer(socket => {
    const inner = connect(Number(port), hostname)
    socket.on('error', () => inner.destroy()).pipe(inner)
    inner.on('error', () => socket.destroy()).pipe(socket)
  })
  const listen = async (at: number) => {
    door.listen(at, '127.0.0.1')
    await once(door, 'listening')
    return (door.address() as AddressInfo).port
  }
  const free = await listen(0)
  door.close()
  await once(door, 'close')
  const url = new URL(server ?? '')
  url.port = String(free)
  closers.push(() => door.close())
  return { url: url.href, open: () => listen(free) }
}

describe.skipIf(!server)('wake-ups between processes', () => {
  test('wake-ups announced before the first connection succeeded are made up for', async () => {
    const door = await openDoor()
    const heard = open(door.url)
    await expect(connectTo(door.url)).rejects.toThrow('ECONNREFUSED')
    await door.open()
    await until('every channel to be woken', async () => heard.includes(everyChannel))
  })

  test('wake-ups missed on a connection that was cut off are made up for', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    closers.push(() => vi.useRealTimers())
    const line = await openSlowLine(server ?? '', 0)
    closers.push(line.stop)
    const heard = open(line.url)
    const channel = randomUUID()
    await until('the listener', async () => {
      await say(JSON.stringify(['another', channel]))
      return heard.includes(channel)
    })
    line.cut()
    await vi.advanceTimersByTimeAsync(15_000)
    await until('every channel to be woken', async () => heard.includes(everyChannel))
  })

  test('a malformed announcement wakes nobody and harms no later one', async () => {
    const heard = open(server ?? '')
    const channel = randomUUID()
    await until('the listener', async () => {
      await say(JSON.stringify(['another', channel]))
      return heard.includes(channel)
    })
    for (const payload of ['', 'no json', '{}', '[]', '[1]', '["another", 1]']) await say(payload)
    const later = randomUUID()
    await say(JSON.stringify(['another', later]))
    await until('the later announcement', async () => heard.includes(later))
    expect(heard.filter(it => it !== channel)).toEqual([later])
  })
})

const connectTo = async (url: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.end()
}
