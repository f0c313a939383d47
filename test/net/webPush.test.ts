import { expect, test } from 'vitest'
import { encryptPush, isPushKeys } from '../../src/net/push/encrypt.ts'

// The example of RFC 8291, section 5, and appendix A.
const example = {
  plain: 'When I grow up, I want to be a watermelon',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  privateKey: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  body:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT' +
    'pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
}
const bytes = (text: string) => Buffer.from(text, 'base64url')

test('a push is encrypted as the example of RFC 8291', () => {
  const { plain, salt, privateKey, body, ...keys } = example
  const fresh = { salt: bytes(salt), privateKey: bytes(privateKey) }
  expect(encryptPush(Buffer.from(plain), keys, fresh).toString('base64url')).toBe(body)
})

test('each push has a key and a salt of its own', () => {
  const bodies = [1, 2].map(() => encryptPush(Buffer.from('x'), example).toString('base64url'))
  expect(new Set(bodies.map(it => it.slice(0, 16))).size).toBe(2)
})

test('a text that does not fit into one record is refused', () => {
  expect(() => encryptPush(Buffer.alloc(5_000), example)).toThrow(RangeError)
})

test.each([
  ['a point that is not on the curve', { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: example.auth }],
  ['a short secret', { p256dh: example.p256dh, auth: 'AAAA' }],
])('%s is no key of a browser', (_name, keys) => {
  expect(isPushKeys(example)).toBe(true)
  expect(isPushKeys(keys)).toBe(false)
})
