import { expect, test } from 'vitest'
import { limits } from '../../src/domain/limits.ts'
import { toKeptContent } from '../../src/domain/purchase.ts'

const max = limits.deliverableBytes

test('a bought answer of up to 256 KiB is kept unchanged', () => {
  for (const body of ['', 'sunny', 'x'.repeat(max), `data:image/png;base64,${'A'.repeat(1000)}`])
    expect(toKeptContent(body)).toBe(body)
})

test('a longer text is cut at whole characters, and says how long it was', () => {
  for (const letter of ['x', 'é', '€', '𝄞']) {
    const kept = toKeptContent(letter.repeat(2 * max))
    expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(max)
    const [text = '', end] = kept.split('\n')
    expect([...text].every(it => it === letter)).toBe(true)
    expect(end).toBe(`… (cut: the answer has ${Buffer.byteLength(letter) * 512} KiB, of which 256 KiB are kept)`)
  }
})

test('of a longer file its kind and size are kept, because a part of it is worth nothing', () => {
  expect(toKeptContent(`data:image/png;base64,${'A'.repeat(max)}`)).toBe(
    'The answer is a file of type image/png, too large to be kept here: 257 KiB of at most 256 KiB.',
  )
})
