import { randomBytes } from 'node:crypto'
import { hashMessage, recoverAddress, recoverMessageAddress, recoverTransactionAddress, recoverTypedDataAddress } from 'viem'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { addressOf, createKmsAccount } from '../../src/chain/signing/kms/account.ts'
import { createKms } from '../../src/chain/signing/kms/client.ts'
import { createKmsKeys } from '../../src/chain/signing/kms/keys.ts'
import { recoverSigner } from '../../src/chain/signing/recoverSigner.ts'
import { createSealer } from '../../src/chain/signing/secrets.ts'
import { createWallets } from '../../src/chain/signing/wallets.ts'
import { readConfig } from '../../src/config.ts'
import { hex } from '../../src/domain/hex.ts'
import { openStore } from '../../src/store/store.ts'
import { tables } from '../assembled.ts'
import { ask, pathOf, plain, provider, rested, talk } from '../hire/market.ts'
import { startTestService } from '../service.ts'
import { account, countUp } from '../store/rows.ts'
import { newStoreFile } from '../store/template.ts'
import { credentials, region, startKms } from './kmsServer.ts'

let server: Awaited<ReturnType<typeof startKms>>
beforeAll(async () => {
  server = await startKms()
})
afterAll(() => server.stop())

const open = () => createKms({ endpoint: server.endpoint, region, credentials })

test('a key in the service signs texts, typed data and transactions like any wallet, always with a low s', async () => {
  const kms = open()
  const keyId = await kms.createKey('test')
  const key = await createKmsAccount(kms, keyId)
  expect(key.address).toBe(server.keys.get(keyId)?.address)
  expect(await addressOf(kms, keyId)).toBe(key.address)
  for (const at of countUp(6)) {
    const signature = await key.signMessage({ message: `text ${at}` })
    // `recoverSigner` refuses signatures with a high s.
    expect(await recoverSigner(`text ${at}`, signature)).toBe(key.address.toLowerCase())
    expect(await recoverAddress({ hash: hashMessage(`text ${at}`), signature })).toBe(key.address)
    expect(await recoverMessageAddress({ message: `text ${at}`, signature })).toBe(key.address)
  }
  const typed = { domain: { chainId: 97 }, types: { Note: [{ name: 'text', type: 'string' }] }, primaryType: 'Note' } as const
  const message = { text: 'hello' }
  expect(await recoverTypedDataAddress({ ...typed, message, signature: await key.signTypedData({ ...typed, message }) })).toBe(
    key.address,
  )
  const raw = await key.signTransaction({
    type: 'eip1559',
    chainId: 97,
    nonce: 3,
    to: account(7),
    gas: 21_000n,
    maxFeePerGas: 5n,
  })
  expect(await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })).toBe(key.address)
})

test('refusals of the service become errors with the service’s message, and contain no secret', async () => {
  const refused = open().sign('no-such-key', `0x${'11'.repeat(32)}`)
  await expect(refused).rejects.toThrow('The KMS refused Sign: NotFoundException: Invalid keyId')
  const wrong = createKms({ endpoint: server.endpoint, region, credentials: { ...credentials, secretAccessKey: 'other' } })
  const error: unknown = await wrong.createKey('x').catch((it: unknown) => it)
  expect(String(error)).toContain('InvalidSignatureException')
  expect(String(error)).not.toContain('other')
})

test('a wallet moved to the service keeps only the name of the key, and keeps its address', async () => {
  const { place, remove } = await newStoreFile()
  const store = await openStore({ ...place, tables, clock: { now: Date.now } })
  onTestFinished(async () => {
    await store.close()
    await remove()
  })
  const masterKey = randomBytes(32)
  const start = () => {
    const kms = createKmsKeys({ endpoint: server.endpoint, region, credentials, keys: { treasury: 'new' } })
    return createWallets({ store, sealer: createSealer(masterKey), kms })
  }
  const treasury = await start().ensure('treasury', '')
  const wallets = start()
  expect(await wallets.ensure('treasury', '')).toBe(treasury)
  expect((await store.wallet('treasury', ''))?.sealedKey).toMatch(/^kms:[0-9a-f-]{36}$/)
  const { account: key, role } = await wallets.holder(treasury)
  expect(role).toBe('treasury')
  expect(await recoverSigner('hello', hex.parse(await key.signMessage({ message: 'hello' })))).toBe(treasury)
  expect(await store.signatures({ wallet: treasury, limit: 5 })).toMatchObject([{ kind: 'text', role: 'treasury' }])
  const user = await wallets.ensure('user', account(1))
  expect((await store.wallet('user', account(1)))?.sealedKey).toMatch(/^v1\./)
  expect((await wallets.holder(user)).role).toBe('user')
})

test('keys in a service without region or credentials are refused with an explanation', () => {
  expect(() => readConfig({ KMS_KEY_TREASURY: 'abc' })).toThrow('KMS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  expect(readConfig({}).kms).toBeUndefined()
})

test('a hire is settled with the key of the treasury in the service', async () => {
  const keyId = server.createKey()
  const market = await startTestService({
    env: {
      KMS_ENDPOINT: server.endpoint,
      KMS_REGION: region,
      KMS_KEY_TREASURY: keyId,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
  })
  onTestFinished(market.stop)
  const { chains } = market.service.world.deps
  expect(chains.get(97)?.treasury).toBe(server.keys.get(keyId)?.address.toLowerCase())
  const before = server.asked.filter(it => it === 'Sign').length
  const user = await market.user('ada')
  const poet = await provider(market, plain('0.5'))
  const { say } = talk(user)
  await say(`Hire agent ${poet.handle} to write a haiku`)
  const { run_id: runId } = await say('yes', 0)
  const { job_id: jobId } = await poet.take()
  await poet.deliver(jobId, 'Leaves fall.')
  expect(await rested(user, runId)).toMatchObject({ state: 'completed', job: { job_id: jobId, state: 'settled' } })
  expect((await pathOf(user, runId)).at(-1)).toBe('settled')
  expect(server.asked.filter(it => it === 'Sign').length).toBeGreaterThan(before)
  expect(JSON.stringify((await ask(market, '/health')).body)).not.toContain(credentials.secretAccessKey)
})
