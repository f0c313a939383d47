import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ChainChoice, type ChainSettings, toChainSettings } from '../../src/chain/public/chainConfigs.ts'
import { probeChain } from '../../src/chain/public/probe.ts'
import { createChainReads } from '../../src/chain/reading/chainReads.ts'
import { createNode } from '../../src/chain/rpc/node.ts'
import type { Address } from '../../src/domain/hex.ts'
import { people } from '../contracts/world.ts'
import { deployer, type External, startExternal } from './external.ts'
import { readStandins, type Standin } from './standins/compiled.ts'

let external: External
let standin: (name: string) => Standin
let usdc: Address
let escrow: Address
let registry: Address

beforeAll(async () => {
  standin = await readStandins(['Tokens.sol'])
  external = await startExternal()
  usdc = await external.deployUsdc(6)
  escrow = await external.deployEscrow(usdc, { treasury: deployer, feeBps: 250 })
  registry = await external.deployRegistry()
})
afterAll(() => external?.stop())

const settingsOf = (choice: Partial<ChainChoice> = {}): ChainSettings =>
  toChainSettings({ chainId: 97, rpcUrl: external.url, escrow, usdc, registry, ...choice })

const findingsOf = async (settings: ChainSettings) => {
  const probe = await probeChain(settings, createNode(settings))
  return 'findings' in probe ? probe.findings : []
}

test('a chain that matches its configuration is served with the values that its contracts report', async () => {
  const settings = settingsOf()
  expect(await probeChain(settings, createNode(settings))).toEqual({
    facts: {
      usdcDecimals: 6,
      hirePath: 'authorization',
      registrar: 'treasury',
      feeBps: 250,
      feeReceiver: deployer,
      takesPermits: false,
      takesUpto: false,
      returnsUnused: true,
    },
  })
})

test('a token without authorizations is paid by allowance, and its 18 decimals are read', async () => {
  const plain = await external.deploy(standin('PlainToken'))
  const own = await external.deploy(standin('OwnRegistry'))
  const settings = settingsOf({
    usdc: plain,
    registry: own,
    escrow: await external.deployEscrow(plain, { treasury: deployer, feeBps: 0 }),
  })
  expect(await probeChain(settings, createNode(settings))).toMatchObject({
    facts: { usdcDecimals: 18, hirePath: 'allowance', registrar: 'agent' },
  })
})

test('a node of another chain is refused', async () => {
  const known = toChainSettings({ chainId: 56, rpcUrl: external.url })
  expect(await findingsOf(known)).toEqual(['The node behind RPC_URL_56 serves chain 97, not chain 56.'])
})

test('a node that does not answer is refused', async () => {
  expect(await findingsOf(settingsOf({ rpcUrl: 'http://127.0.0.1:9' }))).toEqual(['The node behind RPC_URL_97 does not answer.'])
})

test('a chain whose known contract is no ERC-8183 escrow is refused', async () => {
  expect(await findingsOf({ ...settingsOf(), name: 'X Layer testnet', escrow: undefined })).toEqual([
    'On X Layer testnet clients know no ERC-8183 escrow there, so nothing could be hired; deploy a JobEscrow and set ESCROW_97.',
  ])
})

test('addresses without a contract are refused, each by the name of its variable', async () => {
  const nowhere = '0x00000000000000000000000000000000000000aa'
  const words = `There is no contract at ${nowhere} on chain 97; set`
  expect(await findingsOf(settingsOf({ usdc: nowhere, escrow: nowhere }))).toEqual([
    `${words} ESCROW_97 to the right one.`,
    `${words} USDC_97 to the right one.`,
  ])
})

const expecting = (of: Partial<ChainSettings['usdc']>, address = usdc): ChainSettings => ({
  ...settingsOf({ usdc: address }),
  usdc: { address, decimals: undefined, domain: undefined, ...of },
})
const tokenWords = (address: Address) => `The token at ${address} (USDC_97)`

test('decimals other than the known ones are refused', async () => {
  expect(await findingsOf(expecting({ decimals: 18 }))).toEqual([
    `${tokenWords(usdc)} has 6 decimals instead of 18, so every amount would be wrong.`,
  ])
})

test('a version of the signing domain other than the known one is refused', async () => {
  expect(await findingsOf(expecting({ domain: { name: 'USD Coin', version: '2' } }))).toEqual([
    `${tokenWords(usdc)} has the EIP-712 domain "USD Coin" version "1", not "USD Coin" version "2".`,
  ])
})

test('a token whose domain separator does not match its name and version is refused', async () => {
  const lying = await external.deploy(standin('LyingToken'))
  expect(await findingsOf(expecting({}, lying))).toContain(
    `${tokenWords(lying)} returns the EIP-712 domain "USD Coin" version "2", but its DOMAIN_SEPARATOR belongs to another domain.`,
  )
})

test('a token without authorizations is refused where the known USDC supports them', async () => {
  const plain = await external.deploy(standin('PlainToken'))
  expect(await findingsOf(expecting({ domain: { name: 'USDC', version: '2' } }, plain))).toContain(
    `${tokenWords(plain)} does not support EIP-3009 authorizations, but the USDC of BSC testnet does.`,
  )
})

test('a contract that is no token is refused as USDC', async () => {
  expect(await findingsOf(settingsOf({ usdc: registry }))).toContain(
    `${tokenWords(registry)} does not return its decimals, so it is not USDC.`,
  )
})

test('an escrow that pays in another token is refused', async () => {
  const other = await external.deployUsdc(6)
  expect(await findingsOf(settingsOf({ usdc: other }))).toEqual([
    `The escrow at ${escrow} (ESCROW_97) pays in ${usdc}, not in the USDC ${other}.`,
  ])
})

test('an escrow of an unknown dialect is refused', async () => {
  expect(await findingsOf(settingsOf({ escrow: registry }))).toEqual([
    `The escrow at ${registry} (ESCROW_97) implements no known ERC-8183 dialect. ` +
      'This service hires only through its own JobEscrow: deploy one and configure its address.',
  ])
})

test('a contract without a registration function is refused as identity registry', async () => {
  expect(await findingsOf(settingsOf({ registry: usdc }))).toEqual([
    `The contract at ${usdc} (REGISTRY_97) is not an ERC-8004 identity registry: it has no function to register an agent.`,
  ])
})

test('no block younger than the required confirmations is reported', async () => {
  const node = createNode({ rpcUrl: external.url })
  const looks = createChainReads({ node, addresses: { escrow, usdc, registry, reputation: registry }, confirmations: 3 })
  const sent = external.client.sendTransaction({ account: people.deployer, to: deployer, value: 1n })
  const { blockNumber, transactionHash: hash } = await external.mined(sent)
  await external.client.mine({ blocks: 2 })
  expect(await looks.receipt(hash)).toBeUndefined()
  expect((await looks.head()).number).toBe(blockNumber - 1n)
  await external.client.mine({ blocks: 1 })
  expect(await looks.receipt(hash)).toMatchObject({ hash, blockNumber, success: true })
  expect((await looks.head()).number).toBe(blockNumber)
})
