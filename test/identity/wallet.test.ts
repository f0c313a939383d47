import { hashMessage, recoverMessageAddress, recoverTypedDataAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fixedTexts } from '../../src/domain/net/wireTexts.ts'
import { logIn } from '../../src/operations/identity/signIn.ts'
import { get, post } from '../http/wire.ts'
import { startTestService, type TestService, type User } from '../service.ts'
import { begin, freshAccount, messageOf } from './wallets.ts'

let market: TestService
let ada: User
beforeAll(async () => {
  market = await startTestService()
  ada = await market.user('ada')
})
afterAll(() => market.stop())

const answered = z.object({ method: z.string(), data: z.looseObject({ caip2: z.string() }) })
const rpc = (method: string, params: unknown, caip2 = 'eip155:97') =>
  post(market.url, '/v1/wallets/me/rpc', { method, caip2, params }, ada.token)
const result = async (method: string, params: unknown) => answered.parse((await rpc(method, params)).json).data
const signatureOf = async (method: string, params: unknown) =>
  z.object({ signature: z.templateLiteral(['0x', z.string()]) }).parse(await result(method, params)).signature
const signatures = async () => (await market.service.world.deps.store.signatures({ limit: 1000 })).length
const addresses = () => {
  const chain = market.service.world.deps.chains.get(97)
  if (!chain) throw new Error('no chain')
  return chain.addresses
}

test('the wallet reports its holdings, and read calls to contracts of this market are answered', async () => {
  expect(await result('eth_getBalance', {})).toMatchObject({ result: expect.stringMatching(/^0x[0-9a-f]+$/), caip2: 'eip155:97' })
  expect(await result('eth_getBalance', [ada.proxy, 'latest'])).toMatchObject({ result: expect.stringMatching(/^0x/) })
  const balanceOf = `0x70a08231${ada.proxy.slice(2).padStart(64, '0')}`
  const held = await result('eth_call', { transaction: { to: addresses().usdc, data: balanceOf } })
  expect(BigInt(z.string().parse(held.result))).toBe(25_000_000n)
  expect(await result('eth_call', [{ to: addresses().usdc, data: balanceOf }, 'latest'])).toEqual(held)
  expect(await rpc('eth_call', { to: addresses().usdc, data: '0x12345678' })).toMatchObject({ status: 422 })
  expect(await rpc('eth_call', { to: ada.proxy, data: '0x' })).toMatchObject({ status: 403, code: 'signing-refused' })
})

test('a readable text is signed, in the object and in the array dialect', async () => {
  const message = 'Hello, I am Ada.\nThis is mine.'
  for (const params of [{ message }, [message, ada.proxy]])
    expect((await recoverMessageAddress({ message, signature: await signatureOf('personal_sign', params) })).toLowerCase()).toBe(
      ada.proxy,
    )
})

describe('personal_sign refuses, and signs nothing, for', () => {
  const refuses = async (message: string) => {
    const before = await signatures()
    for (const params of [{ message }, [message, ada.proxy]])
      expect(await rpc('personal_sign', params)).toMatchObject({ status: 403, code: 'signing-refused' })
    expect(await signatures()).toBe(before)
  }

  test.each(fixedTexts.flatMap(it => [it, ` ${it.toUpperCase()}\n`, it.replaceAll(' ', '\u00a0'), `Hello! ${it}`]))(
    'a fixed text of this service: %j',
    refuses,
  )

  test('the text of a session, of a registration or of any other host', async () => {
    const own = await messageOf(market.url, (await begin(market.url)).code, ada.proxy)
    for (const it of [own, own.replace(/^\S+/, 'shop.example'), own.replace('wants you', 'WANTS  you')]) await refuses(it)
  })

  test.each([
    ['bytes', hashMessage('x')],
    ['no bytes', '0x'],
    ['an EIP-712 preimage', '\u0019\u0001'],
    ['what cannot be read', 'a\u202eb'],
    ['nothing', ''],
    ['a text as long as a hash', 'a'.repeat(32)],
    ['too long a text', 'a '.repeat(501)],
  ])('%s', (_name, message) => refuses(message))
})

const mail = {
  domain: { name: 'Mail', version: '1', chainId: 97, verifyingContract: '0x00000000000000000000000000000000000000aa' },
  types: {
    Mail: [
      { name: 'to', type: 'string' },
      { name: 'contents', type: 'string' },
    ],
  },
  primaryType: 'Mail',
  message: { to: 'Bob', contents: 'Hello' },
} as const

test('typed data that moves no money is signed, in every dialect', async () => {
  for (const params of [{ typed_data: mail }, [ada.proxy, mail], [ada.proxy, JSON.stringify(mail)]]) {
    const signature = await signatureOf('eth_signTypedData_v4', params)
    expect((await recoverTypedDataAddress({ ...mail, signature })).toLowerCase()).toBe(ada.proxy)
  }
})

test('a chain id given as text is signed as that chain', async () => {
  const typed_data = { ...mail, domain: { ...mail.domain, chainId: '97' } }
  const signature = await signatureOf('eth_signTypedData_v4', { typed_data })
  expect((await recoverTypedDataAddress({ ...mail, signature })).toLowerCase()).toBe(ada.proxy)
})

const chain = { name: 'chainId', type: 'uint256' }
const contract = { name: 'verifyingContract', type: 'address' }
/** Type lists that would make the signed domain differ from the checked one. */
const domainTypes = [
  [chain],
  [contract],
  [{ ...chain, type: 'string' }, contract],
  [chain, { ...contract, type: 'bytes32' }],
  [chain, contract, { name: 'owner', type: 'address' }],
  [chain, chain, contract],
]

describe('eth_signTypedData_v4 refuses, and signs nothing, for', () => {
  const authorization = ['from', 'to'].map(name => ({ name, type: 'address' }))
  const as = (primaryType: string, fields: { name: string; type: string }[]) => ({
    primaryType,
    types: { [primaryType]: fields },
    message: Object.fromEntries(fields.map(({ name }) => [name, name === 'value' ? '1' : ada.proxy])),
  })
  const cases: [string, () => object][] = [
    ['an authorization over USDC (EIP-3009)', () => ({ ...as('ReceiveWithAuthorization', authorization), at: addresses().usdc })],
    ['a permit of USDC (EIP-2612)', () => ({ ...as('Permit', authorization), at: addresses().usdc })],
    ['anything for USDC, in any letter case', () => ({ at: addresses().usdc.toUpperCase().replace('X', 'x') })],
    ['anything for the escrow', () => ({ at: addresses().escrow })],
    ['anything for the registry', () => ({ at: addresses().registry })],
    ['a permit of another token', () => as('Permit', authorization)],
    ['a transfer under a harmless name', () => as('Mail', [{ name: 'spender', type: 'address' }])],
    ['an amount', () => as('Mail', [{ name: 'value', type: 'uint256' }])],
    ['another chain', () => ({ domain: { ...mail.domain, chainId: 8453 } })],
    ['no chain', () => ({ domain: { verifyingContract: mail.domain.verifyingContract } })],
    ['no contract', () => ({ domain: { chainId: 97 } })],
    [
      'a domain type of its own that leaves out chain and contract',
      () => ({ types: { ...mail.types, EIP712Domain: [{ name: 'name', type: 'string' }] } }),
    ],
    ...domainTypes.map((EIP712Domain): [string, () => object] => [
      `a domain type of its own: ${EIP712Domain.map(it => `${it.type} ${it.name}`).join(', ')}`,
      () => ({ types: { ...mail.types, EIP712Domain } }),
    ]),
  ]
  test.each(cases)('%s', async (_name, make) => {
    const before = await signatures()
    const { at, ...change } = z.looseObject({ at: z.string().optional() }).parse(make())
    const typed_data = { ...mail, ...(at && { domain: { ...mail.domain, verifyingContract: at } }), ...change }
    expect(await rpc('eth_signTypedData_v4', { typed_data })).toMatchObject({ status: 403, code: 'signing-refused' })
    expect(await signatures()).toBe(before)
  })

  test.each([
    ['no typed data', {}],
    ['a message that does not fit its types', { ...mail, types: { Mail: [{ name: 'to', type: 'uint8' }] } }],
    ['a type that is not there', { ...mail, primaryType: 'Letter' }],
  ])('%s', async (_name, typed_data) => {
    expect(await rpc('eth_signTypedData_v4', { typed_data })).toMatchObject({ status: 422, code: 'invalid-input' })
  })
})

test('no transaction is sent on request', async () => {
  const transfer = `0xa9059cbb${freshAccount().address.slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}`
  for (const transaction of [
    { to: addresses().usdc, value: '0', data: transfer },
    { to: freshAccount().address, value: '1' },
    { to: addresses().escrow, value: '0', data: '0x' },
  ])
    expect(await rpc('eth_sendTransaction', { transaction })).toMatchObject({ status: 403, code: 'signing-refused' })
  expect((await get(market.url, '/v1/wallets/me', ada.token)).json).toMatchObject({ balances: [{ usdc: '25' }] })
})

test('other methods, other chains and anonymous requests are refused by name', async () => {
  for (const method of ['eth_sign', 'signTransaction', 'signMessage', 'toString', '__proto__', ''])
    expect(await rpc(method, {})).toMatchObject({ status: 422, code: 'method-not-offered' })
  expect(await rpc('personal_sign', {}, 'solana:x')).toMatchObject({ status: 422, code: 'invalid-input' })
  expect(await rpc('personal_sign', {}, 'eip155:8453')).toMatchObject({ status: 422, code: 'chain-not-supported' })
  expect(await post(market.url, '/v1/wallets/me/rpc', { method: 'eth_getBalance' })).toMatchObject({ status: 401 })
})

describe('POST /v1/login', () => {
  const login = async (account = freshAccount(), message = 'Login to Privy Proxy') => ({
    address: account.address,
    message,
    signature: await account.signMessage({ message }),
  })
  const tokenOf = (json: unknown) => z.object({ token: z.string() }).parse(json).token

  test('returns a token valid for a day for the fixed text, and for no other text', async () => {
    const account = freshAccount()
    const { status, json } = await post(market.url, '/v1/login', await login(account))
    expect(status).toBe(200)
    expect((await get(market.url, '/v1/wallets/me', tokenOf(json))).status).toBe(200)
    const { exp = 0, iat = 0 } = z
      .object({ exp: z.number(), iat: z.number() })
      .parse(JSON.parse(Buffer.from(tokenOf(json).split('.')[1] ?? '', 'base64url').toString()))
    expect(exp - iat).toBeLessThanOrEqual(24 * 3600)
    for (const body of [await login(account, 'Login to Privy Proxy '), await login(account, 'Create an AIP agent')])
      expect(await post(market.url, '/v1/login', body)).toMatchObject({ status: 401, code: 'signature-mismatch' })
    const stolen = { ...(await login()), address: account.address }
    expect(await post(market.url, '/v1/login', stolen)).toMatchObject({ status: 401, code: 'signature-mismatch' })
  })

  test('is absent where a chain with real money is configured, even one that is not served now', async () => {
    const { deps } = market.service.world
    const body = await login()
    const served = await logIn.call(body, deps, { wallet: undefined })
    expect(served).toHaveProperty('token')
    const refusedChains = new Map([[8453, 'The node does not answer.']])
    await expect(logIn.call(body, { ...deps, refusedChains }, { wallet: undefined })).rejects.toMatchObject({
      type: 'bare-signature-refused',
    })
  })
})
