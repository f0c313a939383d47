import { expect, test } from 'vitest'
import { limits } from '../../src/domain/limits.ts'
import { deliveredIn, toFreeContent } from '../../src/domain/x402/paidAnswer.ts'

const max = limits.deliverableBytes

test('a free answer of up to 256 KiB is shown unchanged', () => {
  for (const body of ['', 'sunny', 'x'.repeat(max), `data:image/png;base64,${'A'.repeat(1000)}`])
    expect(toFreeContent(body)).toBe(body)
})

test('what a paid call delivered is its content, unless that has NUL or half a character, which no text of bytes has', () => {
  const record = (content: string) => `{"payment_id":"p","state":"settled","content":"${content}"}`
  expect(deliveredIn(record('sunny \\ud83d\\ude42'))).toBe('sunny 🙂')
  for (const it of [record('a\\u0000b'), record('a\\ud83d'), 'a']) expect(deliveredIn(it)).toBe(it)
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
