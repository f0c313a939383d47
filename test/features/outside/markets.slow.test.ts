import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodePaymentRequiredHeader } from '@x402/core/http'
import { decodeSignedOffers, extractOffersFromPaymentRequired } from '@x402/extensions/offer-receipt'
import { compactVerify, decodeProtectedHeader, importJWK } from 'jose'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { type PurchaseRecord, purchaseRecord } from '../../../src/records/purchase.ts'
import { start } from '../../cli/program.ts'
import { ask, plain, talk } from '../../hire/market.ts'
import type { TestService, User } from '../../service.ts'
import { findOutside, startSharedChain, untilChecked } from './twoMarkets.ts'

const verifier = new URL('../../../docs/examples/verify_receipt.py', import.meta.url).pathname

let chain: Awaited<ReturnType<typeof startSharedChain>>
let [seller, buyer]: (TestService | undefined)[] = []
let user: User
let payee: string
const [sellerOf, buyerOf] = [() => seller as TestService, () => buyer as TestService]
const sold = z.object({ items: z.tuple([z.object({ accepts: z.tuple([z.object({ payTo: z.string() })]) })]) })
beforeAll(async () => {
  chain = await startSharedChain()
  seller = await chain.market()
  const haiku = plain('0.02', { id: 'knit', name: 'Knit a sock', description: 'Knits a woollen sock of any size.' })
  const requirement = { type: 'object', required: ['size'], properties: { size: { type: 'integer', minimum: 20, maximum: 50 } } }
  await seller.agent({
    handle: 'knitter',
    offerings: [{ ...haiku, requirement }],
    handler: () => ({ content: 'a sock of size 43' }),
  })
  const { body } = await ask(seller, '/x402/discovery/resources')
  payee = sold.parse(body).items[0].accepts[0].payTo
  buyer = await chain.market([`${seller.url}/x402`])
  user = await buyer.user('buyer')
  await chain.fund(user, 5_000_000n)
  await untilChecked(buyer, 1)
})
afterAll(async () => {
  await buyer?.stop()
  await seller?.stop()
  await chain?.stop()
})

const read = async (runId: string): Promise<PurchaseRecord> =>
  purchaseRecord.parse(await user.client.get(`/v1/purchases/${runId}`))

test("an agent of another market is found, checked and bought from this market's butler", async () => {
  const [hit] = await findOutside(user, 'knit a woollen sock')
  expect(hit).toMatchObject({
    ...{ name: 'Knit a sock, by knitter', price: '0.02', payee: payee.toLowerCase(), network: 'eip155:97', place: 0 },
    words: 'outside, paid at once, no escrow, last seen alive less than a minute ago, answered 1 of 1',
    requirement: { required: ['size'] },
  })
  const { say } = talk(user)
  const asked = await say('Knit me a woollen sock')
  expect(asked.content).toContain(`“Knit a sock, by knitter” for 0.02 USDC at ${hit?.url}`)
  const slip = await say(`pay ${hit?.url} with {"size": 43}`)
  expect(slip.content).toContain('Listed     outside, paid at once, no escrow, last seen alive')
  const done = await say('yes')
  expect(done.content).toContain('a sock of size 43')
  expect(await read(done.run_id)).toMatchObject({ state: 'paid', price: '0.02', payee: payee.toLowerCase() })
  expect(await chain.held(payee)).toBe(20_000n)
})

const readKeys = async () => JSON.stringify((await ask(sellerOf(), '/.well-known/jwks.json')).body)

test('the receipt of what was bought is verified offline by the command line and by a program in Python, and a changed one by neither', async () => {
  const { purchases } = z.object({ purchases: z.array(purchaseRecord) }).parse(await user.client.get('/v1/purchases'))
  const paid = await read(purchases.find(it => it.state === 'paid')?.purchase_id ?? '')
  const dir = await mkdtemp(join(tmpdir(), 'receipt-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const [file, keys, changed] = ['answer.json', 'jwks.json', 'changed.json'].map(it => join(dir, it)) as [string, string, string]
  await writeFile(file, paid.content)
  await writeFile(keys, await readKeys())
  const { receipt } = z.object({ receipt: z.string() }).parse(JSON.parse(paid.content))
  const [head, body = '', signature] = receipt.split('.')
  const forged = Buffer.from(body, 'base64url').toString().replace('"version":1', '"version":2')
  await writeFile(changed, JSON.stringify({ receipt: [head, Buffer.from(forged).toString('base64url'), signature].join('.') }))
  const python = (of: string) => spawnSync('python3', [verifier, of, keys], { encoding: 'utf8' })
  const { status, stdout } = python(file)
  expect([status, JSON.parse(stdout)]).toEqual([
    0,
    {
      ...{ version: 1, network: 'eip155:97', payer: user.proxy.toLowerCase(), transaction: paid.transaction },
      ...{ resourceUrl: paid.url, issuedAt: expect.any(Number) },
    },
  ])
  expect(python(changed)).toMatchObject({ status: 1, stderr: expect.stringContaining('the signature is not valid') })
  const verified = await start(['receipt', 'verify', file, '--keys', keys]).ended
  expect([verified.code, verified.out]).toEqual([0, expect.stringContaining('The signature is valid.')])
  const refused = await start(['receipt', 'verify', changed, '--keys', keys]).ended
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('The signature is not valid')])
})

test('an unpaid call is answered with a signed offer of its terms, as the stock extension reads it', async () => {
  const [hit] = await findOutside(user, 'knit a woollen sock')
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(hit?.url ?? '', { method: 'POST', headers, body: '{"size":30}' })
  const required = decodePaymentRequiredHeader(answer.headers.get('payment-required') ?? '')
  const [offer] = decodeSignedOffers(extractOffersFromPaymentRequired(required))
  expect(offer).toMatchObject({
    version: 1,
    resourceUrl: hit?.url,
    scheme: 'exact',
    amount: '20000',
    payTo: payee,
    acceptIndex: 0,
  })
  const { keys } = z.object({ keys: z.array(z.looseObject({ kid: z.string() })) }).parse(JSON.parse(await readKeys()))
  const jws = offer?.signedOffer.signature ?? ''
  const kid = z.object({ kid: z.string() }).parse(decodeProtectedHeader(jws)).kid
  const key = keys.find(it => kid === `did:web:${encodeURIComponent(new URL(sellerOf().url).host)}#${it.kid}`)
  expect((await compactVerify(jws, await importJWK(key ?? {}, 'ES256'))).payload.length).toBeGreaterThan(0)
  const { body } = await ask(sellerOf(), '/.well-known/did.json')
  expect(body).toMatchObject({ verificationMethod: [{ id: kid, publicKeyJwk: { kty: 'EC', crv: 'P-256' } }] })
})

test('the other market counts what was sold, and the catalogue says what is shown', async () => {
  const { body } = await ask(buyerOf(), '/v1/catalogues')
  expect(body).toMatchObject({
    catalogues: [{ url: `${sellerOf().url}/x402`, listed: 1, refused: 0, shown: 1, reason: '' }],
    refused: [],
  })
})

test('a mandate covers no purchase of a listed resource unless it names the host or the payee', async () => {
  const [hit] = await findOutside(user, 'knit a woollen sock')
  const limits = { chain_id: 97, max_per_job: '1', max_per_period: '2', period: 'day' }
  const buy = async () => purchaseRecord.parse(await user.client.post('/v1/purchases', { url: hit?.url, body: { size: 21 } }))
  await user.client.post('/v1/mandates', limits)
  expect(await buy()).toMatchObject({ state: 'proposed', mandate_id: null, outside: expect.stringMatching(/^outside, paid/) })
  await user.client.post('/v1/mandates', { ...limits, payees: ['elsewhere.example'] })
  expect(await buy()).toMatchObject({ state: 'proposed' })
  await user.client.post('/v1/mandates', { ...limits, categories: ['poems'], payees: [new URL(hit?.url ?? '').host] })
  expect(await buy()).toMatchObject({ state: 'paying', mandate_id: expect.any(String) })
})

test('the best checked resources of a catalogue are sold here, above what they cost', async () => {
  const from = `${sellerOf().url}/x402`
  const dir = await mkdtemp(join(tmpdir(), 'listed-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const env = { SERVICE_ENDPOINT: buyerOf().url, SERVICE_PROXY_AUTH: user.token, XDG_CONFIG_HOME: dir }
  const wrap = (...args: string[]) =>
    start(['agent', 'wrap', 'x402', '--json', '--dry-run', '--file', join(dir, 'list.json'), ...args], { env }).ended
  const sold = await wrap('--price', '0.05', '--from', from, 'knit', 'a', 'woollen', 'sock')
  expect([sold.code, sold.out]).toEqual([0, expect.stringContaining('Knit a sock, by knitter')])
  const none = await wrap('--from', 'https://other.example', 'knit', 'a', 'sock')
  expect([none.code, none.out]).toEqual([1, expect.stringContaining('lists nothing for “knit a sock”')])
})
