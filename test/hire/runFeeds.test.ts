import { expect, test } from 'vitest'
import { everyChannel } from '../../src/domain/net/channels.ts'
import type { RunEvent } from '../../src/domain/runs/runEvent.ts'
import { createRunFeeds } from '../../src/operations/runFeeds.ts'
import { createWakeups } from '../../src/process/wakeups.ts'

const event = (seq: number): RunEvent => ({ runId: 'a', seq, kind: 'message', summary: `${seq}`, data: {}, at: 0 })
const events = (...seqs: number[]) => seqs.map(event)
const forever = 3_600_000

const open = (bounds = { ofOne: 4, ofAll: 6 }) => {
  const wakeups = createWakeups()
  const feeds = createRunFeeds(wakeups, bounds)
  const leaving = new AbortController()
  const follow = (runId = 'a') => feeds.follow(runId, leaving.signal)
  const commit = (...seqs: number[]) => wakeups.notify('run:a', events(...seqs))
  return { wakeups, follow, commit, leave: () => leaving.abort() }
}

test('a stream gets the events that come directly after its last one, once and in order', async () => {
  const { follow, commit } = open()
  const feed = follow()
  commit(1)
  commit(2, 3)
  expect(await feed.next(1, forever)).toEqual(events(2, 3))
  const next = feed.next(3, forever)
  commit(4)
  expect(await next).toEqual(events(4))
  commit(3, 4)
  expect(await feed.next(4, forever)).toEqual([])
})

test('a stream reads the store after a gap, a wrong order, a change without its event, or a time without any', async () => {
  const { wakeups, follow, commit } = open()
  const feed = follow()
  commit(2)
  expect(await feed.next(0, forever)).toBeUndefined()
  commit(4)
  commit(3)
  expect(await feed.next(2, forever)).toBeUndefined()
  commit(5)
  wakeups.notify('run:a')
  commit(6)
  expect(await feed.next(4, forever)).toBeUndefined()
  wakeups.notify(everyChannel)
  expect(await feed.next(6, forever)).toBeUndefined()
  expect(await feed.next(6, 1)).toBeUndefined()
  commit(7)
  expect(await feed.next(6, forever)).toEqual(events(7))
})

test('a stream that takes nothing keeps a bounded number of events, also together with others, and slows none of them', async () => {
  const { follow, commit } = open()
  const [slow, fast] = [follow(), follow()]
  for (const at of [1, 2, 3, 4, 5]) {
    commit(at)
    expect(await fast.next(at - 1, forever)).toEqual(events(at))
  }
  expect(await slow.next(0, forever)).toBeUndefined()
  const idle = [follow(), follow(), follow()]
  commit(6, 7)
  expect(await fast.next(5, forever)).toEqual(events(6, 7))
  expect(await idle[2]?.next(5, forever)).toBeUndefined()
  for (const it of idle) it.close()
  commit(8)
  expect(await fast.next(7, forever)).toEqual(events(8))
})

test('a feed that has ended waits for nothing, and other runs are not concerned', async () => {
  const { follow, commit, leave } = open()
  const [feed, other] = [follow(), follow('b')]
  const next = feed.next(0, forever)
  const ofOther = other.next(0, forever)
  commit(1)
  expect(await next).toEqual(events(1))
  leave()
  expect(await ofOther).toBeUndefined()
  commit(2)
  expect(await feed.next(1, forever)).toBeUndefined()
  expect(await follow().next(1, forever)).toBeUndefined()
})
