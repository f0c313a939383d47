import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createClient } from '../../../src/cli/client.ts'
import { createBuyer } from '../../../src/cli/market/paying.ts'
import { limits } from '../../../src/domain/limits.ts'
import { openX402 } from '../../../src/kit/wrap/x402.ts'
import { start } from '../../cli/program.ts'
import { ask, talk } from '../../hire/market.ts'
import { startTestService, type TestService, type User } from '../../service.ts'
import { purchasesFor } from './purchasing.ts'
import { longAnswer, lower, type Seller, startSeller } from './seller.ts'

let market: TestService
let user: User
let seller: Seller
beforeAll(async () => {
  market = await startTestService()
  user = await market.user('buyer')
  seller = await startSeller(market, lower(`0x${'5e'.repeat(20)}`))
})
afterAll(async () => {
  await seller?.stop()
  await market?.stop()
})

const mib = 1024 * 1024
const { propose, confirm, ended } = purchasesFor(() => user)
const buy = async (path: string) => {
  const proposed = await propose(`${seller.url}${path}`)
  await confirm(proposed)
  return ended(proposed.purchase_id)
}
const answerPart = z.object({ part: z.number(), parts: z.number(), base64: z.string() })
const readPart = async (id: string, part: number) =>
  answerPart.parse(await user.client.get(`/v1/purchases/${id}/answer?part=${part}`))
const readAll = async (id: string) => {
  const { parts } = await readPart(id, 0)
  const all = []
  for (let part = 0; part < parts; part += 1) all.push(Buffer.from((await readPart(id, part)).base64, 'base64'))
  return Buffer.concat(all)
}
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test('an answer of 3 MiB of a standard x402 seller arrives whole, and a file of it is saved', async () => {
  const paid = await buy(`/long?bytes=${3 * mib}`)
  expect(paid).toMatchObject({ state: 'paid', status: 200, bytes: 3 * mib, ending: 'whole', parts: 12 })
  expect(paid.content).toContain('a file of type audio/wav: the answer has 3,072 KiB.')
  const whole = longAnswer(3 * mib)
  expect(hashOf(await readAll(paid.purchase_id))).toBe(hashOf(whole))

  const file = join(market.dir, 'answer.wav')
  const env = { SERVICE_ENDPOINT: market.url, XDG_CONFIG_HOME: market.dir, SERVICE_PROXY_AUTH: user.token, AGENT_ID: '' }
  const { code, out } = await start(['answer', paid.purchase_id, file, '--json'], { env }).ended
  expect([code, out]).toEqual([0, expect.stringContaining(`"bytes":${3 * mib}`)])
  expect(hashOf(await readFile(file))).toBe(hashOf(whole))
}, 60_000)

test.each([limits.resourcePartBytes, limits.resourceBytes])('an answer of exactly %i bytes is whole', async bytes => {
  const paid = await buy(`/long?bytes=${bytes}`)
  expect(paid).toMatchObject({ state: 'paid', status: 200, bytes, ending: 'whole' })
  expect(hashOf(await readAll(paid.purchase_id))).toBe(hashOf(longAnswer(bytes)))
})

test('an answer without an end is cut at 8 MiB: the beginning is kept, and its buyer is told', async () => {
  const paid = await buy('/endless')
  expect(paid).toMatchObject({ state: 'paid', status: 200, bytes: limits.resourceBytes, ending: 'cut', parts: 32 })
  expect(Buffer.byteLength(paid.content)).toBeLessThanOrEqual(limits.deliverableBytes)
  expect(paid.content).toMatch(/^x+\n… \(the seller sent more than 8,192 KiB, .*kept for 7 days: market answer run_/)
  expect((await readAll(paid.purchase_id)).length).toBe(limits.resourceBytes)
})

test('of an answer that breaks off what arrived is kept, although the seller refuses the used payment afterwards', async () => {
  seller.breakAfter(700_000)
  onTestFinished(() => seller.breakAfter(undefined))
  const settled = seller.settled()
  const paid = await buy('/endless')
  expect(paid).toMatchObject({ state: 'paid', status: 200, ending: 'early' })
  expect(paid.bytes).toBeGreaterThan(0)
  expect(paid.content).toContain('the connection ended early')
  expect((await readAll(paid.purchase_id)).length).toBe(paid.bytes)
  expect(seller.settled()).toBe(settled + 1)
})

test('a compressed answer is read, and a short one has one part', async () => {
  const paid = await buy('/zipped')
  expect(paid).toMatchObject({ state: 'paid', content: '{"zipped":true}', bytes: 15, ending: 'whole', parts: 0 })
  expect((await readAll(paid.purchase_id)).toString()).toBe('{"zipped":true}')
  const picture = await buy('/picture')
  expect((await readAll(picture.purchase_id)).length).toBe(picture.bytes)
})

test('the answer of a purchase is read by its buyer only, and not beyond its end', async () => {
  const paid = await buy(`/long?bytes=${mib}`)
  const path = `/v1/purchases/${paid.purchase_id}/answer`
  const other = await market.user('other')
  expect(await ask({ url: market.url, token: other.token }, path, { method: 'GET' })).toMatchObject({
    code: 'purchase-not-found',
  })
  expect(await ask({ url: market.url }, path, { method: 'GET' })).toMatchObject({ code: 'unauthenticated' })
  const beyond = await ask({ url: market.url, token: user.token }, `${path}?part=4`, { method: 'GET' })
  expect(beyond).toMatchObject({ code: 'purchase-not-found' })
})

test('the butler names the limit before the yes, and says how to get a long answer after it', async () => {
  const { say } = talk(user)
  expect((await say(`buy ${seller.url}/long?bytes=${mib}`)).content).toContain('up to 8 MiB')
  const done = await say('yes')
  expect(done.data.state).toBe('completed')
  expect(done.content).toContain(`market answer ${done.run_id} FILE`)
})

test('an agent that sells a paid resource does not deliver the beginning of its answer as the whole', async () => {
  const source = await openX402({
    ...{ url: `${seller.url}/long?bytes=${mib}`, isGet: true, name: undefined, description: undefined },
    ...{ requirement: {}, deliverable: {}, buyer: createBuyer(createClient({ url: market.url, token: user.token })) },
  })
  const asked = { id: 'long', input: {}, text: '', signal: AbortSignal.timeout(60_000), job: { id: 'job-long', price: 0.02 } }
  await expect(source.call(asked)).rejects.toThrow('longer than a deliverable may be')
})
