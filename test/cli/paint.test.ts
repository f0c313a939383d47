import { expect, test } from 'vitest'
import { createPaint, hidePictures, shorten, toTable } from '../../src/cli/paint.ts'

test('a terminal gets bold text and wrapped lines, any other output gets plain text', () => {
  const long = `  ${'word '.repeat(20)}`.trimEnd()
  expect(createPaint({}).bold('x')).toBe('x')
  expect(createPaint({}).wrap(long)).toBe(long)
  expect(createPaint({ isTTY: true }).bold('x')).toBe('\u001b[1mx\u001b[22m')
  const lines = createPaint({ isTTY: true, columns: 30 }).wrap(long).split('\n')
  expect(lines.every(it => it.length <= 30 && it.startsWith('  word'))).toBe(true)
})

test('addresses, hashes and ids are shortened to their ends', () => {
  expect(shorten(`0x${'ab'.repeat(32)} in run_${'0'.repeat(32)}`)).toBe('0xabab…abab in run_000000…')
})

test('a picture is replaced by its kind and size, and the text around it stays', () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg">${'<path d="M0 0h1"/>'.repeat(100)}</svg>`
  expect(hidePictures(`code: ${svg}\nsays: hello`)).toBe('code: [SVG picture, 1.8 KB]\nsays: hello')
  expect(hidePictures(`data:image/png;base64,${'A'.repeat(2048)} and <b>`)).toBe('[picture, 2.0 KB] and <b>')
  expect(hidePictures('data:application/pdf;base64,JVBERi0=')).toBe('[file, 0.0 KB]')
})

test('a delivered list is shown as a table, whose cells cannot move the cursor', () => {
  const rows = [
    { city: 'Lima', hours: -5 },
    { city: '\u001b[2JRome', hours: 1 },
  ]
  expect(toTable(JSON.stringify(rows))?.split('\n')).toEqual([
    'city      hours',
    '────────  ─────',
    'Lima      -5',
    ' [2JRome  1',
  ])
  expect([toTable('{"a":1}'), toTable('[]'), toTable('[1,2]'), toTable('no')]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
