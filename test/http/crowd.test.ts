import { expect, test } from 'vitest'
import { limits } from '../../src/domain/limits.ts'
import { createCredentials } from '../../src/http/credentials.ts'
import { createCrowdGate } from '../../src/http/crowd.ts'
import type { Sent } from '../../src/http/source.ts'

const most = limits.waitingRequestsOfAddress

/** A gate whose requests name their address in a header, and are under way until the test ends them. */
const open = () => {
  const credentials = createCredentials()
  const sourceOf = ({ req }: Sent) => req.header('from')
  const gate = createCrowdGate({ sourceOf, credentials, held: { most: 10, leastMs: 0, moreMs: 1 } })
  const ends: (() => void)[] = []
  const headersOf = (from?: string, authorization?: string) => ({
    ...(from && { from }),
    ...(authorization && { authorization }),
  })
  const ask = async (from?: string, authorization?: string) => {
    const request = new Request('http://127.0.0.1/invoke', { headers: headersOf(from, authorization) })
    let isServed = false
    const answer = Promise.resolve(
      gate(request, undefined, () => {
        isServed = true
        return new Promise<Response>(done => void ends.push(() => done(new Response('served'))))
      }),
    )
    return { isServed, status: isServed ? 200 : (await answer).status, answer }
  }
  const fill = async (from: string, count: number) => {
    for (let at = 0; at < count; at += 1) expect(await ask(from)).toMatchObject({ isServed: true })
  }
  return { ask, fill, ends, credentials }
}

test('an address with too many requests under way is refused, and every other one is served', async () => {
  const { ask, fill, ends } = open()
  await fill('203.0.113.7', most)
  const refused = await ask('203.0.113.7')
  expect(refused).toMatchObject({ isServed: false, status: 429 })
  const { headers } = await refused.answer
  expect([headers.get('connection'), headers.get('retry-after')]).toEqual(['close', '3'])
  expect(await ask('203.0.113.8')).toMatchObject({ isServed: true })
  // This machine's own requests name no address.
  expect(await ask()).toMatchObject({ isServed: true })
  ends.shift()?.()
  await new Promise(setImmediate)
  expect(await ask('203.0.113.7')).toMatchObject({ isServed: true })
})

/** Sends requests of each source in turn until all of them are refused, and gives the number of those under way. */
const exhaust = async ({ ask, ends }: ReturnType<typeof open>, sources: string[]) => {
  let willing = sources
  while (willing.length > 0) {
    const asked = await Promise.all(willing.map(async it => [it, (await ask(it)).isServed] as const))
    willing = asked.flatMap(([it, isServed]) => (isServed ? [it] : []))
  }
  return ends.length
}
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at)

test.each([
  ['four networks', upTo(64).map(at => `2001:db8:${at % 4}:${at}`)],
  ['sixteen addresses', upTo(16).map(at => `203.0.113.${at}`)],
  ['a hundred networks', upTo(200).map(at => `2001:db8:${at % 100}:${at}`)],
])(
  '%s that send all they can leave room for every other stranger, and for every user with a known credential',
  async (_, crowd) => {
    const gate = open()
    expect(await exhaust(gate, crowd)).toBeLessThan(16 * most)
    const others = [...upTo(5).map(at => `198.51.100.${at}`), ...upTo(5).map(at => `2001:db8:ffff:${at}`)]
    for (const it of others) expect(await gate.ask(it)).toMatchObject({ isServed: true })
    const from = crowd[0] ?? ''
    expect(await gate.ask(from, 'Bearer unknown')).toMatchObject({ status: 429 })
    gate.credentials.note({ env: {}, req: { header: name => (name === 'authorization' ? 'Bearer known' : undefined) } }, '0xada')
    expect(await gate.ask(from, 'Bearer known')).toMatchObject({ isServed: true })
  },
)

test('a few addresses of a network leave room for the other ones in it', async () => {
  const gate = open()
  const few = upTo(4).map(at => `2001:db8:1:${at}`)
  expect(await exhaust(gate, few)).toBeGreaterThan(2 * most)
  for (const at of upTo(20)) expect(await gate.ask(`2001:db8:1:${at + 10}`)).toMatchObject({ isServed: true })
})

test('strangers have a bound together', async () => {
  const gate = open()
  const everyone = upTo(17 * most).map(at => `2001:db8:${at}:1`)
  expect(await exhaust(gate, everyone)).toBe(16 * most)
})
