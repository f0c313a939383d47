import { expect, test } from 'vitest'
import { limits } from '../../src/domain/limits.ts'
import { toFreeContent } from '../../src/domain/x402/paidAnswer.ts'

const max = limits.deliverableBytes

test('a free answer of up to 256 KiB is shown unchanged', () => {
  for (const body of ['', 'sunny', 'x'.repeat(max), `data:image/png;base64,${'A'.repeat(1000)}`])
    expect(toFreeContent(body)).toBe(body)
})

test('a longer text is cut at whole characters, and says how long it was', () => {
  for (const letter of ['x', 'é', '€', '𝄞']) {
    const kept = toFreeContent(letter.repeat(2 * max))
    expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(max)
    const [text = '', end] = kept.split('\n')
    expect([...text].every(it => it === letter)).toBe(true)
    expect(end).toBe(
      `… (cut: the answer has ${(Buffer.byteLength(letter) * 512).toLocaleString('en-US')} KiB, of which 256 KiB are shown)`,
    )
  }
})

test('of a longer file its kind and size are kept, because a part of it is worth nothing', () => {
  expect(toFreeContent(`data:image/png;base64,${'A'.repeat(max)}`)).toBe(
    'The answer is a file of type image/png, too large to be shown here: 257 KiB of at most 256 KiB.',
  )
})
