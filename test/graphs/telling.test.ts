import { expect, test } from 'vitest'
import { createTelling } from '../../graphs/butler/telling.ts'
import type { NewRunEvent } from '../../src/domain/runs/runEvent.ts'

const eventOf = (kind: NewRunEvent['kind']): NewRunEvent => ({ kind, summary: '', data: {}, key: kind })

/** A log whose writes end when the test says so. */
const openLog = () => {
  const written: string[][] = []
  const ends: { succeed(): void; fail(): void }[] = []
  const telling = createTelling(
    {
      tellAll: (_, events) =>
        new Promise((resolve, reject) => {
          const succeed = () => {
            written.push(events.map(it => it.kind))
            resolve(undefined)
          }
          ends.push({ succeed, fail: () => reject(new Error('the database is away')) })
        }),
    },
    'run-1',
  )
  const begun = () => expect.poll(() => ends.length).toBeGreaterThan(0)
  const end = async (how: 'succeed' | 'fail') => {
    await begun()
    ends.shift()?.[how]()
  }
  return { telling, written, begun, end }
}

test('progress is written at once, a choice with the proposal that follows it', async () => {
  const { telling, written, end } = openLog()
  telling.add(eventOf('understood'))
  await end('succeed')
  telling.add(eventOf('chosen'))
  const told = telling.tell(eventOf('proposed'))
  await end('succeed')
  await told
  expect(written).toEqual([['understood'], ['chosen', 'proposed']])
})

test('an answer is left to the write that ends the lease, after what is being written', async () => {
  const { telling, written, begun, end } = openLog()
  telling.add(eventOf('understood'))
  await begun()
  telling.add(eventOf('answer'))
  const left = telling.take()
  await end('succeed')
  expect((await left).map(it => it.kind)).toEqual(['answer'])
  expect(written).toEqual([['understood']])
  expect(await telling.take()).toEqual([])
})

test('what a failed write leaves is told with the next one, in its order', async () => {
  const { telling, written, end } = openLog()
  telling.add(eventOf('understood'))
  await end('fail')
  telling.add(eventOf('answer'))
  const told = telling.tell(eventOf('proposed'))
  await end('fail')
  await expect(told).rejects.toThrow('away')
  expect((await telling.take()).map(it => it.kind)).toEqual(['understood', 'answer', 'proposed'])
  expect(written).toEqual([])
})
