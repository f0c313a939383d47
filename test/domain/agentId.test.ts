import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseAgentId, parseHandle, toAgentId, toHireTag } from '../../src/domain/agents/agentId.ts'
import { type Address, toWallet } from '../../src/domain/hex.ts'
import { registrationBody, toRegistration } from '../../src/domain/offerings/registration.ts'

const addresses = fc
  .bigInt({ min: 0n, max: 2n ** 160n - 1n })
  .map((number): Address => `0x${number.toString(16).padStart(40, '0')}`)
const chains = fc.constantFrom(97, 84532, 1952, 56, 8453)
const numbers = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })

test('an id is read in any letter case and always written in one form', () => {
  fc.assert(
    fc.property(chains, addresses, numbers, fc.infiniteStream(fc.boolean()), (chainId, registry, number, upper) => {
      const id = toAgentId(chainId, registry, number)
      const mixed = [...id].map(letter => (upper.next().value ? letter.toUpperCase() : letter)).join('')
      expect(parseAgentId(mixed)).toEqual({ chainId, registry, number, id })
      expect(parseAgentId(`0${mixed}`)?.id).toBe(id)
    }),
  )
})

const registry = `0x${'8004'.repeat(10)}`

test.each([
  '',
  'scribe',
  'erc8004:scribe',
  '97:erc8004:scribe',
  `97:${registry}`,
  `97:${registry}:`,
  `:${registry}:7`,
  `97:${registry}:7:8`,
  `97:${registry}:-7`,
  `97:${registry}:7.0`,
  `97:${registry}:0x7`,
  `97:${registry.slice(0, -1)}:7`,
  `97:${registry}0:7`,
  ` 97:${registry}:7`,
  `97:user:${registry}:7`,
  `${'9'.repeat(400)}:${registry}:7`,
  `97:${registry}:${'9'.repeat(400)}`,
])('%s is not a full id', text => expect(parseAgentId(text)).toBeUndefined())

test.each([
  ['scribe', { handle: 'scribe' }],
  ['erc8004:scribe', { handle: 'scribe' }],
  ['97:erc8004:scribe', { handle: 'scribe', chainId: 97 }],
  ['erc8004:', { handle: 'erc8004:' }],
  ['x:erc8004:scribe', { handle: 'x:erc8004:scribe' }],
])('%s is recognised as a handle', (text, named) => expect(parseHandle(text)).toEqual(named))

test.each([
  ['user:0xABCDEF0123456789abcdef0123456789ABCDEF01', '0xabcdef0123456789abcdef0123456789abcdef01'],
  ['USER:0XABCDEF0123456789abcdef0123456789ABCDEF01', '0xabcdef0123456789abcdef0123456789abcdef01'],
  ['user:user:0xabcdef0123456789abcdef0123456789abcdef01', undefined],
  ['0xabcdef', undefined],
])('%s is recognised as the wallet %s', (text, wallet) => expect(toWallet(text)).toBe(wallet))

const isHandle = (handle: string): boolean => {
  try {
    return toRegistration(registrationBody.parse({ handle })).handle === handle
  } catch {
    return false
  }
}

const forgers = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'aZ09._-'), minLength: 1, maxLength: 5 }),
  fc.string({ unit: fc.constantFrom(...'aZ09._-#: \n') }),
  fc.constantFrom(
    'a##97:0x00:1',
    'x##y',
    'a#',
    'Agent Id: b',
    'b\u202e',
    'sсribe',
    'a..b',
    '.a',
    'a ',
    'a\n',
    '',
    'a'.repeat(65),
  ),
)

test('the hire tag of any allowed handle is read as that handle and id, and as no other', () => {
  let allowed = 0
  fc.assert(
    fc.property(forgers, chains, addresses, numbers, (handle, chainId, at, number) => {
      if (!isHandle(handle)) return
      allowed += 1
      const id = toAgentId(chainId, at, number)
      const tag = toHireTag(handle, id)
      expect(/^Agent Id: ([^\n]+)##([^#\s]+)$/.exec(tag)?.slice(1)).toEqual([handle, id])
      expect(tag.split('##')).toHaveLength(2)
      expect(tag.split('Agent Id: ')).toHaveLength(2)
      expect(parseAgentId(handle)).toBeUndefined()
    }),
    { numRuns: 500 },
  )
  expect(allowed).toBeGreaterThan(20)
})
