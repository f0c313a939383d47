import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLog, randomIds } from '../../src/process/system.ts'

const written = (write: (log: ReturnType<typeof createLog>) => void): string => {
  const lines: string[] = []
  write(createLog('info', { write: line => void lines.push(line) }))
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow()
  return lines.join('')
}

const secret = 'hunter2hunter2'

const names = [
  ...['token', 'accessToken', 'access_token', 'signature', 'authorization', 'Authorization', 'privateKey', 'private_key'],
  ...['apiKey', 'MODEL_API_KEY', 'masterKey', 'MASTER_KEY', 'sealedKey', 'password', 'set-cookie', 'clientSecret', 'raw', 'data'],
]

test.each(names)('a member called %s is removed at any depth', name => {
  const deep = { a: { b: [{ c: { d: { [name]: secret, kept: 'kept' } } }] } }
  const text = written(log => {
    log.info({ [name]: secret, deep }, 'one')
    log.error({ error: { [name]: { inner: secret } } })
    log.child({ part: 'x' }).warn(deep)
  })
  expect(text).not.toContain(secret)
  expect(text).toContain('kept')
})

const token = `eyJhbGciOiJIUzI1NiJ9.${'eyJzdWIiOiJ1c2VyOjB4In0'}.${'s1gnature-_'.repeat(4)}`
const key = `0x${'a1b2c3d4'.repeat(8)}`
const secrets = [token, key, key.slice(2), `0x${'ab'.repeat(65)}`, `0x${'02f8'.repeat(60)}`, 'sk-proj-abcdef0123456789']

const around = fc.string({ unit: fc.constantFrom(...' "\'\\/:,{}\n(), ') })

test('a token, a key, a signature or signed bytes are removed from any text, and the line stays valid JSON', () => {
  fc.assert(
    fc.property(fc.constantFrom(...secrets), around, around, (it, before, after) => {
      const message = `${before} ${it} ${after}`
      const text = written(log => {
        log.info(message)
        log.info('with %s', message)
        log.info({ url: message, list: [message] }, message)
        log.error(new Error(message))
        log.error({ error: { name: 'Error', message, stack: `Error: ${message}\n    at x` } })
        log.error({ [message]: 1 })
      })
      expect(text).not.toContain(it)
      // The remaining part is too short to guess the secret.
      expect(text).not.toContain(it.slice(0, 24))
    }),
    { numRuns: 60 },
  )
})

test.each([
  [`Authorization: Bearer ${secret}`, 'Bearer'],
  [`basic ${secret}`, 'basic'],
  [`connect postgres://market:${secret}@db.example/market failed`, 'db.example/market failed'],
])('%s is logged without its secret parts', (message, kept) => {
  const text = written(log => log.info(message))
  expect(text).not.toContain(secret)
  expect(text).toContain(kept)
})

test('an error is logged with its name, message and stack, and without properties that a library added', () => {
  const error = Object.assign(new TypeError('no answer'), { request: { body: secret }, config: { headers: { x: secret } } })
  error.cause = new Error(secret)
  const text = written(log => {
    log.error(error)
    log.error({ error }, 'failed')
  })
  expect(text).toContain('no answer')
  expect(text).not.toContain(secret)
})

test('useful details stay: addresses, the beginning of a hash, numbers, names', () => {
  const wallet = `0x${'12'.repeat(20)}`
  const text = written(log => log.info({ wallet, hash: key, nonce: 7, amount: 5n, worker: 'watchChain 97' }, 'seen'))
  for (const kept of [wallet, key.slice(0, 10), '"nonce":7', '"amount":5', 'watchChain 97', 'seen']) expect(text).toContain(kept)
})

test('an object that contains itself is logged without an endless loop', () => {
  const loop: Record<string, unknown> = { name: 'loop' }
  loop.self = loop
  expect(written(log => log.info({ loop }))).toContain('loop')
})

test('identifiers are unique and have 128 random bits', () => {
  const ids = Array.from({ length: 1000 }, () => randomIds.fresh('run'))
  expect(new Set(ids).size).toBe(1000)
  for (const id of ids) expect(id).toMatch(/^run_[0-9a-f]{32}$/)
})
