import { expect, test } from 'vitest'
import { keepLarge } from '../../src/store/market/keepLarge.ts'

test('the count of a large market is read once per filter, and that of a small one every time', async () => {
  const asked: string[] = []
  const count = keepLarge(
    async ({ tag, rows }: { tag: string; rows: number }) => {
      asked.push(tag)
      return rows + asked.length
    },
    it => it,
  )
  const large = await count({ tag: 'text', rows: 20_000 })
  expect(await count({ tag: 'text', rows: 20_000 })).toBe(large)
  await count({ tag: 'code', rows: 20_000 })
  expect(asked).toEqual(['text', 'code'])
  const small = await count({ tag: 'art', rows: 10 })
  expect(await count({ tag: 'art', rows: 10 })).toBe(small + 1)
})
