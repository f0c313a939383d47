import { expect, test } from 'vitest'
import { createDeferredThreads } from '../../src/store/runs/deferredThreads.ts'

const row = (id: string, threadId = 't') => ({
  ...{ threadId, namespace: '', id, parentId: undefined, type: 'json', metadataType: 'json' },
  ...{ body: new Uint8Array(), metadata: new Uint8Array() },
})
const write = (taskId: string, place: number, type = 'json') => ({
  ...{ taskId, place, channel: '__interrupt__', type, body: new Uint8Array() },
})

test('a thread under its first lease is new, and under a later one it is read', () => {
  const threads = createDeferredThreads()
  expect(threads.find('t', '1')).toEqual({ row: undefined, writes: [] })
  expect(threads.find('t', '2')).toBeUndefined()
  expect(threads.take('t', '3')).toBeUndefined()
})

test('what a lease makes is its newest at once, and is known to the next lease only after it was stored', () => {
  const threads = createDeferredThreads()
  threads.put('3', row('a'))
  threads.write('t', '3', { of: 'a', writes: [write('z', -3), write('b', -3)] })
  const known = { row: { id: 'a' }, writes: [{ taskId: 'b' }, { taskId: 'z' }] }
  expect(threads.find('t', '3')).toMatchObject(known)
  expect(threads.find('t', '4')).toBeUndefined()
  const news = threads.take('t', '3')
  expect(news).toMatchObject({ checkpoint: { id: 'a' }, writes: [{ checkpointId: 'a' }, { checkpointId: 'a' }] })
  expect([threads.find('t', '3'), threads.find('t', '4')]).toEqual([undefined, undefined])
  news?.wasStored()
  expect(threads.find('t', '4')).toMatchObject(known)
  expect(threads.find('t', '5')).toBeUndefined()
  expect(threads.take('t', '3')).toBeUndefined()
})

test('a later checkpoint takes the place of an earlier one with its writes, also when its own came first', () => {
  const threads = createDeferredThreads()
  threads.begin('t', '2', { row: row('a'), writes: [write('b', -3)] })
  threads.put('2', row('b'))
  threads.write('t', '2', { of: 'c', writes: [write('b', -3, 'old'), write('b', 0, 'first')] })
  threads.write('t', '2', { of: 'c', writes: [write('b', -3, 'new'), write('b', 0, 'second')] })
  threads.put('2', row('c'))
  const writes = [{ type: 'new' }, { type: 'first' }]
  expect(threads.find('t', '2')).toMatchObject({ row: { id: 'c' }, writes })
  expect(threads.take('t', '2')).toMatchObject({ checkpoint: { id: 'c' }, writes })
})

test('writes of a stored checkpoint are news without it', () => {
  const threads = createDeferredThreads()
  threads.begin('t', '2', { row: row('a'), writes: [write('b', -3)] })
  threads.write('t', '2', { of: 'a', writes: [write('c', -1)] })
  expect(threads.find('t', '2')).toMatchObject({ row: { id: 'a' }, writes: [{ taskId: 'b' }, { taskId: 'c' }] })
  expect(threads.take('t', '2')).toMatchObject({ checkpoint: undefined, writes: [{ taskId: 'c', checkpointId: 'a' }] })
})

test('a thread that has ended is read again', () => {
  const threads = createDeferredThreads()
  threads.put('1', row('a'))
  threads.take('t', '1')?.wasStored()
  expect(threads.find('t', '2')).toBeUndefined()
})

test('a worker that lost its lease changes nothing that the next one makes', () => {
  const threads = createDeferredThreads()
  threads.begin('t', '2', { row: row('a'), writes: [write('b', -3)] })
  threads.begin('t', '3', { row: row('a'), writes: [write('b', -3)] })
  threads.put('3', row('c'))
  threads.put('2', row('b'))
  threads.write('t', '2', { of: 'b', writes: [write('b', -3)] })
  expect(threads.find('t', '3')).toMatchObject({ row: { id: 'c' }, writes: [] })
  expect(threads.take('t', '3')).toMatchObject({ checkpoint: { id: 'c' }, writes: [] })
})
