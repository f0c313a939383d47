import { type Hex, keccak256, parseSignature, zeroHash } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transferWithAuthorization } from '../../src/chain/signing/transferWords.ts'
import { authorize, budget, deliverable, fundedJob, openJob, reason, relay, submittedJob, termsOf } from './hires.ts'
import { people, refusal, startWorld, usdc, type World } from './world.ts'

const { client, provider, evaluator, treasury, stranger, deployer } = people
let world: World

beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const always = 2n ** 48n - 1n
const domain = () => ({ name: 'USD Coin', version: '1', chainId: 97, verifyingContract: world.token.address })

const signTransfer = (nonce: Hex) =>
  client.signTypedData({
    domain: domain(),
    types: transferWithAuthorization,
    primaryType: 'TransferWithAuthorization',
    message: { from: client.address, to: provider.address, value: usdc(1), validAfter: 0n, validBefore: always, nonce },
  })

const balanceOf = (address: Hex) => world.token.read.balanceOf([address])

test('the token exposes everything that a payer needs to sign', async () => {
  const { token } = world
  expect([await token.read.name(), await token.read.symbol(), await token.read.version(), await token.read.decimals()]).toEqual([
    'USD Coin',
    'USDC',
    '1',
    6,
  ])
  expect(await token.read.eip712Domain()).toMatchObject({ 1: 'USD Coin', 2: '1', 3: 97n })
})

test('an authorized payment with any nonce is accepted once, in both forms of the signature', async () => {
  const { token, mined } = world
  const before = await balanceOf(provider.address)
  const terms = [client.address, provider.address, usdc(1), 0n, always] as const
  const first = await signTransfer(keccak256('0x01'))
  const { r, s, yParity } = parseSignature(first)
  const asParts = [...terms, keccak256('0x01'), yParity + 27, r, s] as const
  await mined(token.write.transferWithAuthorization(asParts, { account: stranger }))
  expect(await refusal(token.write.transferWithAuthorization(asParts, { account: stranger }))).toBe('ERC3009UsedAuthorization')

  const asBytes = [...terms, keccak256('0x02'), await signTransfer(keccak256('0x02'))] as const
  await mined(token.write.transferWithAuthorization(asBytes, { account: stranger }))
  expect(await refusal(token.write.transferWithAuthorization(asBytes, { account: stranger }))).toBe('ERC3009UsedAuthorization')
  const wrong = [...terms, keccak256('0x03'), first] as const
  expect(await refusal(token.write.transferWithAuthorization(wrong, { account: stranger }))).toBe('ERC3009InvalidSignature')
  expect(await balanceOf(provider.address)).toBe(before + usdc(2))
})

test('only the owner mints', async () => {
  expect(await refusal(world.token.write.mint([stranger.address, 1n], { account: stranger }))).toBe('OwnableUnauthorizedAccount')
})

test('whatever happens to jobs, the total supply of money does not change', async () => {
  const { token, escrow, mined } = world
  const supply = await token.read.totalSupply()
  const paid = await submittedJob(world)
  await mined(escrow.write.complete([paid, reason, '0x'], { account: evaluator }))
  await mined(escrow.write.reject([await submittedJob(world), reason, '0x'], { account: evaluator }))
  await mined(escrow.write.reject([await openJob(world), reason, '0x'], { account: client }))
  const terms = await termsOf(world, { salt: zeroHash })
  const authorization = await authorize(world, terms, terms.expiredAt)
  await mined(relay(world, terms, authorization))
  await refusal(relay(world, terms, authorization))
  const lapsed = await fundedJob(world)
  const running = await fundedJob(world)
  await world.warp(terms.expiredAt + 60n)
  await mined(escrow.write.claimRefund([lapsed], { account: stranger }))
  await refusal(escrow.write.claimRefund([lapsed], { account: stranger }))
  await refusal(escrow.write.submit([running, deliverable, '0x'], { account: provider }))

  const holders = [client, provider, evaluator, treasury, stranger, deployer].map(person => person.address)
  const balances = await Promise.all([...holders, escrow.address].map(balanceOf))
  expect(await token.read.totalSupply()).toBe(supply)
  expect(balances.reduce((sum, balance) => sum + balance)).toBe(supply)
  expect(await balanceOf(escrow.address)).toBe(await escrow.read.escrowed())
  expect(await escrow.read.escrowed()).toBe(2n * budget)
})
