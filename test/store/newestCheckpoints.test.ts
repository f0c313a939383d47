import { expect, test } from 'vitest'
import { createNewestCheckpoints } from '../../src/store/runs/newestCheckpoints.ts'

const row = (id: string) => ({
  ...{ threadId: 't', namespace: '', id, parentId: undefined, type: 'json', metadataType: 'json' },
  ...{ body: new Uint8Array(), metadata: new Uint8Array() },
})
const write = (taskId: string, place: number, type = 'json') => ({
  ...{ taskId, place, channel: '__interrupt__', type, body: new Uint8Array() },
})

test('a thread under its first lease is new, and under a later one it is read', () => {
  const newest = createNewestCheckpoints()
  expect(newest.find('t', '1')).toEqual({ row: undefined, writes: [] })
  expect(newest.find('t', '2')).toBeUndefined()
})

test('a paused thread is known under its lease and the next one, and after another holder it is read', () => {
  const newest = createNewestCheckpoints()
  newest.wasPut('t', '3', row('a'))
  newest.wasWritten('t', { checkpointId: 'a', writes: [write('z', -3), write('b', -3)] })
  const known = { row: { id: 'a' }, writes: [{ taskId: 'b' }, { taskId: 'z' }] }
  expect(newest.find('t', '3')).toMatchObject(known)
  expect(newest.find('t', '4')).toMatchObject(known)
  expect(newest.find('t', '5')).toBeUndefined()
})

test('writes that are stored before their checkpoint belong to it, and a later pause replaces an earlier one', () => {
  const newest = createNewestCheckpoints()
  newest.wasRead('t', '2', { row: row('a'), writes: [write('b', -3)] })
  newest.wasWritten('t', { checkpointId: 'c', writes: [write('b', -3, 'old')] })
  newest.wasWritten('t', { checkpointId: 'c', writes: [write('b', -3, 'new')] })
  newest.wasPut('t', '2', row('c'))
  expect(newest.find('t', '2')).toMatchObject({ row: { id: 'c' }, writes: [{ type: 'new' }] })
})

test('a thread that ended, was written to after it was read, or whose write failed is read again', () => {
  const newest = createNewestCheckpoints()
  newest.wasPut('ended', '1', row('a'))
  expect(newest.find('ended', '2')).toBeUndefined()
  newest.wasRead('read', '2', { row: row('a'), writes: [write('b', -3)] })
  newest.wasWritten('read', { checkpointId: 'a', writes: [write('c', -1)] })
  expect(newest.find('read', '2')).toBeUndefined()
  newest.forget('failed')
  expect(newest.find('failed', '1')).toBeUndefined()
})
