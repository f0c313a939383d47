import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import type { Hex } from '../../src/domain/hex.ts'
import { loginMessage, registrationMessage } from '../../src/domain/net/wireTexts.ts'
import { get, post } from '../http/wire.ts'
import { startTestService, type TestService } from '../service.ts'
import { type ContractWallet, coinbaseStyle, deploySafe, openChain, type TestChain } from './contractWallets.ts'
import { begin, freshAccount, messageOf, openApp } from './wallets.ts'

let market: TestService
let chain: TestChain
let wallets: Record<'Safe' | 'deployed' | 'undeployed', ContractWallet>
beforeAll(async () => {
  market = await startTestService()
  chain = await openChain(market)
  wallets = { Safe: await deploySafe(chain), ...(await coinbaseStyle(chain)) }
}, 60_000)
afterAll(() => market?.stop())

const issued = z.object({ token: z.string() })
const signIn = async (address: string, sign: (message: string) => Promise<Hex>, more: object = {}) => {
  const { code } = await begin(market.url)
  const signature = await sign(await messageOf(market.url, code, address))
  return post(market.url, '/v1/approve', { code, address, signature, ...more })
}

describe.each([
  ['a Safe of two owners', 'Safe'],
  ['a wallet that signs as Coinbase Smart Wallet does', 'deployed'],
  ['such a wallet that is not deployed yet (ERC-6492)', 'undeployed'],
] as const)('%s', (_title, name) => {
  test('signs in, and its account is its own address', async () => {
    const wallet = wallets[name]
    const { status, json } = await signIn(wallet.address, wallet.sign)
    expect(status).toBe(200)
    const { token } = issued.parse(json)
    const { users } = z
      .object({ users: z.array(z.object({ user_id: z.string() })) })
      .parse((await get(market.url, '/accounts/users', token)).json)
    expect(users.map(it => it.user_id)).toEqual([`user:${wallet.address}`])
  })

  test('is refused with a signature for another chain, of another text, and for another wallet', async () => {
    const wallet = wallets[name]
    const wrong: [string, (message: string) => Promise<Hex>][] = [
      [wallet.address, message => wallet.sign(message, 56)],
      [wallet.address, message => wallet.sign(`${message} `)],
      [freshAccount().address, wallet.sign],
      [wallets.Safe === wallet ? wallets.deployed.address : wallets.Safe.address, wallet.sign],
    ]
    for (const [address, sign] of wrong)
      expect(await signIn(address, sign)).toMatchObject({ status: 401, json: { code: 'signature-mismatch' } })
  })

  test('registers an agent with a fresh challenge', async () => {
    const { address, sign } = wallets[name]
    const registration = {
      ...{ handle: `agent-of-${name.toLowerCase()}`, description: 'Tells the time', user_id: address },
      job_offerings: [
        { id: 'time', name: 'time', description: 'Time', price_v2: { type: 'fixed', amount: 0.02, currency: 'USDC' } },
      ],
    }
    // The wallet has signed in freshly, so its bare signature is refused, with a challenge.
    const bare = { message: registrationMessage, signature: await sign(registrationMessage) }
    const asked = await post(market.url, '/agents/register', { ...registration, ...bare })
    const { challenge } = z.object({ challenge: z.object({ message: z.string() }) }).parse(asked.json)
    const proof = { message: challenge.message, signature: await sign(challenge.message) }
    expect(await post(market.url, '/agents/register', { ...registration, ...proof })).toMatchObject({ status: 200 })
  })
})

test('wallets that are contracts get a token for the login text, until they have signed in freshly', async () => {
  for (const { address, sign } of Object.values(await coinbaseStyle(chain))) {
    const login = { address, signature: await sign(loginMessage), message: loginMessage }
    expect(await post(market.url, '/v1/login', login)).toMatchObject({ status: 200 })
    expect(await signIn(address, sign)).toMatchObject({ status: 200 })
    expect(await post(market.url, '/v1/login', login)).toMatchObject({ status: 401 })
  }
})

const magic = '1626ba7e'.padEnd(64, '0')
/** Code that returns 32 bytes. */
const returning = (word: string): Hex => `0x7f${word}60005260206000f3`
const hostile: [string, Hex][] = [
  ['answers no', returning('f'.repeat(8).padEnd(64, '0'))],
  ['answers true', returning('1'.padStart(64, '0'))],
  ['answers the value at the wrong end', returning('1626ba7e'.padStart(64, '0'))],
  ['answers nothing', '0x00'],
  ['reverts', '0x60006000fd'],
  ['reverts with the value', `0x7f${magic}60005260206000fd`],
  ['never ends', '0x5b600056'],
  ['burns all gas', '0xfe'],
  ['answers with a megabyte', '0x620f42406000f3'],
]

test.each(hostile)('a wallet whose code %s is refused, and others go on', async (_what, code) => {
  const address = await chain.place(code)
  const { sign } = wallets.deployed
  const [refused, other] = await Promise.all([signIn(address, sign), signIn(wallets.deployed.address, sign)])
  expect([refused, other]).toMatchObject([{ status: 401, json: { code: 'signature-mismatch' } }, { status: 200 }])
})

test('the test of hostile code would let in code that answers the value', async () => {
  expect(await signIn(await chain.place(returning(magic)), wallets.deployed.sign)).toMatchObject({ status: 200 })
})

test('an account with a key that delegates to a contract signs with its key, and not by the contract', async () => {
  const account = freshAccount()
  const delegate = await chain.place(returning(magic))
  const { sign } = wallets.deployed
  await chain.setCode(account.address, `0xef0100${delegate.slice(2)}`)
  expect(await signIn(account.address, sign)).toMatchObject({ status: 401 })
  expect(await signIn(account.address, message => account.signMessage({ message }))).toMatchObject({ status: 200 })
})

test('a text that names a chain which is not served is not made', async () => {
  const { code } = await begin(market.url)
  const { status } = await get(market.url, `/v1/approve?code=${code}&address=${wallets.Safe.address}&chain_id=8453`)
  expect(status).toBe(422)
  const { json } = await get(market.url, `/v1/approve?code=${code}&address=${wallets.Safe.address}&chain_id=97`)
  expect(z.object({ message: z.string() }).parse(json).message).toContain('Chain ID: 97')
})

test('a node that never answers keeps nobody waiting, and a stranger who asks it often keeps nobody else out', async () => {
  let isSilent = true
  const silent = new Promise<never>(() => undefined)
  const held = await startTestService({
    wrap: ({ store, chain: served }) => ({
      store,
      chain: { ...served, acceptsSignature: async of => (isSilent ? silent : (served.acceptsSignature?.(of) ?? false)) },
    }),
  })
  onTestFinished(() => held.stop())
  const { deployed } = await coinbaseStyle(await openChain(held))
  const app = openApp(held)
  const approve = async (from: string) => {
    const { code } = await begin(held.url)
    const signature = await deployed.sign(await messageOf(held.url, code, deployed.address))
    return app('/v1/approve', { code, address: deployed.address, signature }, { from })
  }
  const refused = await Promise.all(Array.from({ length: 4 }, () => approve('203.0.113.7')))
  expect(refused.map(it => it.status)).toEqual([503, 503, 503, 503])
  isSilent = false
  expect(await approve('198.51.100.9')).toMatchObject({ status: 200 })
})
