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

test('all addresses of a network, and all strangers, have bounds together, which no user with a known credential meets', async () => {
  const { ask, fill, credentials } = open()
  for (let at = 0; at < 4; at += 1) await fill(`2001:db8:1:${at}`, most)
  expect(await ask('2001:db8:1:9')).toMatchObject({ status: 429 })
  for (let at = 0; at < 12; at += 1) await fill(`203.0.113.${at}`, most)
  expect(await ask('198.51.100.1')).toMatchObject({ status: 429 })
  expect(await ask('198.51.100.1', 'Bearer unknown')).toMatchObject({ status: 429 })
  credentials.note({ env: {}, req: { header: name => (name === 'authorization' ? 'Bearer known' : undefined) } }, '0xada')
  expect(await ask('198.51.100.1', 'Bearer known')).toMatchObject({ isServed: true })
})
