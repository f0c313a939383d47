import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { encodeFunctionData, zeroHash } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, onTestFinished, test } from 'vitest'
import { validationRegistryAbi } from '../../src/chain/contracts/artifacts/ValidationRegistry.ts'
import { gasCeilings } from '../../src/chain/rpc/gas.ts'
import { createCalls } from '../../src/chain/signing/calls.ts'
import { toPermissions } from '../../src/chain/signing/permissions.ts'
import { recoverSigner } from '../../src/chain/signing/recoverSigner.ts'
import { createSealer } from '../../src/chain/signing/secrets.ts'
import { createSignerPolicy, SigningRefused } from '../../src/chain/signing/signerPolicy.ts'
import { createWallets } from '../../src/chain/signing/wallets.ts'
import type { Hex } from '../../src/domain/hex.ts'
import { openStore } from '../../src/store/store.ts'
import { tables } from '../assembled.ts'
import { newStoreFile } from '../store/template.ts'

const message = 'Create an AIP agent'
const signature =
  '0xe3af9d802998759c2b4dc4eb2faa96e4cce4968c23fa9ce409344fc52a4d1bc6616f8e7b8cce12915e2ba92d3924e33171849f259b4bb919b332bf26190664c51b'
const signer = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

test('the registration text of existing clients recovers to its wallet, with v as 27 or as 0', async () => {
  expect(await recoverSigner(message, signature)).toBe(signer)
  expect(await recoverSigner(message, `${signature.slice(0, -2)}00` as Hex)).toBe(signer)
  expect(await recoverSigner(`${message}\n`, signature)).not.toBe(signer)
})

test('the high-s variant of a signature recovers to no wallet', async () => {
  const s = order - BigInt(`0x${signature.slice(66, 130)}`)
  const twin: Hex = `0x${signature.slice(2, 66)}${s.toString(16).padStart(64, '0')}1c`
  expect(await recoverSigner(message, twin)).toBeUndefined()
})

test('a malformed signature recovers to no wallet and throws nothing', async () => {
  const zeros: Hex = `0x${'00'.repeat(64)}1b`
  const beyond: Hex = `0x${'ff'.repeat(32)}${'11'.repeat(32)}1b`
  for (const bad of ['0x', '0x12', zeros, beyond, `${signature}00`, `${signature.slice(0, -2)}1d`])
    expect(await recoverSigner(message, bad as Hex)).toBeUndefined()
})

const openWallets = async () => {
  const { place, remove } = await newStoreFile()
  const store = await openStore({ ...place, tables, clock: { now: Date.now } })
  onTestFinished(async () => {
    await store.close()
    await remove()
  })
  const masterKey = randomBytes(32)
  return { store, wallets: createWallets({ store, sealer: createSealer(masterKey) }), masterKey }
}

test('concurrent requests for one wallet create it once, and its key is stored sealed', async () => {
  const { store, wallets, masterKey } = await openWallets()
  const addresses = await Promise.all(Array.from({ length: 8 }, () => wallets.ensure('user', '0xabc')))
  expect(new Set(addresses).size).toBe(1)
  const [address = '0x'] = addresses
  expect(await wallets.ensure('agent', '0xabc')).not.toBe(address)

  const stored = await store.walletByAddress(address)
  const again = createWallets({ store, sealer: createSealer(masterKey) })
  const { account, role } = await again.holder(address)
  expect(role).toBe('user')
  expect(account.address.toLowerCase()).toBe(address)
  expect(privateKeyToAccount(createSealer(masterKey).open(stored?.sealedKey ?? '', address) as Hex).address).toBe(account.address)
  const stranger = createWallets({ store, sealer: createSealer(randomBytes(32)) })
  await expect(stranger.holder(address)).rejects.toMatchObject({ reason: 'wrong-master-key' })
  await expect(wallets.holder('0x00000000000000000000000000000000000000aa')).rejects.toThrow(/is not a custodial wallet/)
})

const addresses = {
  escrow: '0x00000000000000000000000000000000000000e5',
  usdc: '0x00000000000000000000000000000000000000dc',
  registry: '0x000000000000000000000000000000000000008a',
  reputation: '0x000000000000000000000000000000000000008b',
  validation: '0x000000000000000000000000000000000000008c',
} as const
const evaluator = '0x00000000000000000000000000000000000000ee'

test('the signer accepts only known functions of known contracts, from the role that may call them', () => {
  const policy = createSignerPolicy(toPermissions({ addresses, evaluator, faucet: true }))
  const calls = createCalls({ addresses, gas: gasCeilings, faucet: true })
  const submit = calls.submit(1n, 'work')
  const topUp = calls.topUp(addresses.usdc)

  expect(() => policy('agent', submit)).not.toThrow()
  expect(() => policy('evaluator', calls.complete(1n, 'ok'))).not.toThrow()
  expect(() => policy('treasury', topUp)).not.toThrow()

  expect(() => policy('agent', calls.complete(1n, 'ok'))).toThrow(SigningRefused)
  expect(() => policy('user', topUp)).toThrow(SigningRefused)
  expect(() => policy('agent', { ...submit, to: addresses.usdc })).toThrow(SigningRefused)
  expect(() => policy('agent', { ...submit, value: 1n })).toThrow(SigningRefused)
  expect(() => policy('agent', { ...submit, data: '0xa9059cbb' })).toThrow(/0xa9059cbb/)
  expect(() => policy('agent', { ...submit, data: '0x12' })).toThrow(SigningRefused)
  expect(() => policy('treasury', { ...submit, to: undefined })).toThrow(SigningRefused)
})

test('wallets of agents request validations by the evaluator of this service alone', () => {
  const policy = createSignerPolicy(toPermissions({ addresses, evaluator, faucet: true }))
  const asking = (validator: Hex) => ({
    to: addresses.validation,
    data: encodeFunctionData({
      abi: validationRegistryAbi,
      functionName: 'validationRequest',
      args: [validator, 7n, 'http://x', zeroHash],
    }),
    ...{ value: 0n, gas: 1n },
  })
  expect(() => policy('agent', asking(evaluator))).not.toThrow()
  expect(() => policy('agent', asking(addresses.usdc))).toThrow(SigningRefused)
  expect(() => policy('user', asking(evaluator))).toThrow(SigningRefused)
  const { validation: _, ...without } = addresses
  const unconfigured = createSignerPolicy(toPermissions({ addresses: without, evaluator, faucet: true }))
  expect(() => unconfigured('agent', asking(evaluator))).toThrow(SigningRefused)
})

test('a thousand random transactions outside the table are all refused, for every role', () => {
  const permissions = toPermissions({ addresses, evaluator, faucet: true })
  const policy = createSignerPolicy(permissions)
  const bytes = (length: number) =>
    fc.uint8Array({ minLength: length, maxLength: length }).map(it => Buffer.from(it).toString('hex'))
  const address = fc.oneof(
    fc.constantFrom(...Object.values(addresses)),
    bytes(20).map(it => `0x${it}` as Hex),
  )
  const role = fc.constantFrom('user', 'agent', 'evaluator', 'treasury', 'deployer')
  const selector = fc.oneof(
    fc.constantFrom(...permissions.map(it => it.selector.slice(2, 10))),
    bytes(4),
    bytes(3),
    fc.constant(''),
  )
  const data = fc.tuple(selector, fc.integer({ min: 0, max: 100 }).chain(bytes)).map(it => `0x${it.join('')}` as Hex)
  const call = fc.record({
    to: fc.option(address, { nil: undefined }),
    data,
    value: fc.bigInt({ min: 0n, max: 3n }),
    gas: fc.constant(1n),
  })
  const isAllowed = (who: string, { to, data: sent, value }: { to: Hex | undefined; data: Hex; value: bigint }) =>
    to !== undefined &&
    ((sent === '0x' && who === 'treasury') ||
      (value === 0n && permissions.some(it => it.role === who && it.contract === to && sent.startsWith(it.selector))))
  let refused = 0
  fc.assert(
    fc.property(role, call, (who, asked) => {
      fc.pre(!isAllowed(who, asked))
      refused += 1
      expect(() => policy(who, asked)).toThrow(SigningRefused)
    }),
    { numRuns: 1_000 },
  )
  expect(refused).toBeGreaterThanOrEqual(1_000)
})

test('a wallet may send an empty transaction to itself, but neither to another address nor with coin', () => {
  const policy = createSignerPolicy([])
  const [own, other] = [addresses.escrow, addresses.usdc]
  const empty = { to: own, data: '0x', value: 0n, gas: 21_000n } as const
  expect(() => policy('agent', empty, own)).not.toThrow()
  expect(() => policy('agent', empty, other)).toThrow(SigningRefused)
  expect(() => policy('agent', { ...empty, value: 1n }, own)).toThrow(SigningRefused)
})
