import { createHash } from 'node:crypto'
import { deflateRawSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dictionary } from '../../src/store/engine/dictionary.ts'
import { pack, unpack } from '../../src/store/engine/packed.ts'

test('every text is unpacked as it was packed', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), text => unpack(pack(text)) === Buffer.from(text).toString()))
})

test('texts that earlier releases stored are read', () => {
  const text = '{"kind":"answer"}'
  const earlier = [gzipSync(text), Buffer.from(`0${text}`), Buffer.concat([Buffer.from('1'), deflateRawSync(text)])]
  expect(earlier.map(unpack)).toEqual([text, text, text])
  expect(() => unpack(Buffer.from('3'))).toThrow('a packed text begins with 51')
})

test('the dictionary of stored texts is the released one', () => {
  expect(createHash('sha256').update(dictionary).digest('hex')).toBe(
    '68856fca6cca008877f939403b10da8dc1a5d5bd4e99195df595126d5bf30eec',
  )
})
