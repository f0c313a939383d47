import { setImmediate } from 'node:timers'
import { expect, test } from 'vitest'
import { createPace } from '../../src/files/pace.ts'

test('between the pieces of many files other work gets its turn', async () => {
  const [streams, pieces] = [20, 50]
  const paced = createPace()
  let [passed, before, mostAtOnce, isOver] = [0, 0, 0, false]
  const look = () => {
    mostAtOnce = Math.max(mostAtOnce, passed - before)
    before = passed
    if (!isOver) setImmediate(look)
  }
  look()
  const file = async function* () {
    for (let at = 0; at < pieces; at += 1) yield new Uint8Array(1)
  }
  await Promise.all(
    Array.from({ length: streams }, async () => {
      for await (const _ of paced(file())) passed += 1
    }),
  )
  isOver = true
  expect(passed).toBe(streams * pieces)
  expect(mostAtOnce).toBeLessThan(streams)
})
