import { expect, test } from 'vitest'
import { type PublicChainId, toChainSettings } from '../../src/chain/public/chainConfigs.ts'
import { publicGasCeilings } from '../../src/chain/rpc/gas.ts'
import { readConfig } from '../../src/config.ts'
import { chainNames } from '../../src/domain/chains/chains.ts'

const rpcUrl = 'http://127.0.0.1:9'
const ids = [97, 84532, 1952, 56, 8453] as const satisfies PublicChainId[]

const testnet = {
  registry: '0x8004a818bfb912233c491871b3d84c89a494bd9e',
  reputation: '0x8004b663056a597dffe9eccc1965a193b7388713',
}
const mainnet = {
  registry: '0x8004a169fb4a3325136eb29fa0ceb6d2e539a432',
  reputation: '0x8004baa17c55a88189ae136b182e5fda19de9b63',
}

/** The published values, written a second time so that a mistake in the table is detected. */
const published: Record<PublicChainId, object> = {
  97: {
    ...testnet,
    escrow: '0x770a741ab71d1a75a124133098f2da11f893488c',
    evaluator: '0xd4bfa87d71f0d696f164a5511c45a50670507cf7',
    usdc: { address: '0x64544969ed7ebf5f083679233325356ebe738930', decimals: undefined, domain: undefined },
  },
  84532: {
    ...testnet,
    escrow: '0xdce48013b8d9b6812c1eb101621e588967f1f9e3',
    evaluator: '0x071a9f7c68292cebc4dc88cf35a0de93b6831d11',
    usdc: {
      address: '0x036cbd53842c5426634e7929541ec2318f3dcf7e',
      decimals: 6,
      domain: { name: 'USDC', version: '2' },
    },
  },
  1952: {
    ...testnet,
    escrow: undefined,
    evaluator: '0xfc140ff8108448c56c0f9facd0c3434e83ae1568',
    usdc: {
      address: '0xcb8bf24c6ce16ad21d707c9505421a17f2bec79d',
      decimals: 6,
      domain: { name: 'USDC_TEST', version: '2' },
    },
  },
  56: {
    ...mainnet,
    escrow: '0x5b02df1580ef4580755c68f3e43838f727541a69',
    evaluator: '0x26cab683d3c04ab521894eda13f24e3726944472',
    usdc: { address: '0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d', decimals: 18, domain: undefined },
  },
  8453: {
    ...mainnet,
    escrow: '0x5009abb3a309115a4a682c66baf3bc9e0329bab7',
    evaluator: '0x4302e523d982f3b89cfc43ce4530c012b495ec11',
    usdc: {
      address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
      decimals: 6,
      domain: { name: 'USD Coin', version: '2' },
    },
  },
}

test.each(ids)('chain %i has the published addresses, its name and its number of confirmations', chainId => {
  const settings = toChainSettings({ chainId, rpcUrl })
  expect(settings).toMatchObject({ chainId, rpcUrl, name: chainNames[chainId], ...published[chainId] })
  expect(settings.policy.confirmations).toBe({ 97: 12, 56: 12, 84532: 2, 8453: 2, 1952: 5 }[chainId])
})

test.each(ids)(
  'one top-up of a wallet on chain %i pays for its most expensive transaction twice, at the highest fee',
  chainId => {
    const { maxFeePerGasWei = 0n, topUpWei } = toChainSettings({ chainId, rpcUrl }).policy
    const { hire, approve, createAndFund, registerAgent, registerAgentByte } = publicGasCeilings
    const dearest = [hire, approve + createAndFund, registerAgent + 100n * registerAgentByte].reduce((a, b) => (a > b ? a : b))
    expect(topUpWei).toBeGreaterThanOrEqual(2n * dearest * maxFeePerGasWei)
  },
)

const ours = `0x${'Ab'.repeat(20)}`
const asInside = ours.toLowerCase()

test('the environment overrides every address, and another token drops the values expected of the known one', () => {
  const env = { RPC_URL_56: rpcUrl, ESCROW_56: ours, EVALUATOR_56: ours, REGISTRY_56: ours, REPUTATION_56: ours, USDC_56: ours }
  const { chains } = readConfig({ ...env, CONFIRMATIONS_56: '3' })
  expect(chains.map(toChainSettings)).toMatchObject([
    {
      ...{ chainId: 56, rpcUrl, escrow: asInside, evaluator: asInside, registry: asInside, reputation: asInside },
      usdc: { address: asInside, decimals: undefined, domain: undefined },
      policy: { confirmations: 3 },
    },
  ])
})

test('the address of a node is enough to configure a chain, and nothing else does', () => {
  expect(readConfig({}).chains).toEqual([])
  expect(readConfig({ ESCROW_97: ours, RPC_URL_97: '' }).chains).toEqual([])
  expect(readConfig({ RPC_URL_97: rpcUrl, RPC_URL_8453: rpcUrl }).chains.map(it => it.chainId)).toEqual([97, 8453])
})

test('an invalid variable of a chain is named in the error, and its value is not', () => {
  expect(() => readConfig({ RPC_URL_97: rpcUrl, USDC_97: '0x12' })).toThrow(/^The environment variable USDC_97 does not fit/)
  expect(() => readConfig({ RPC_URL_97: 'ws://node' })).toThrow(/^The environment variable RPC_URL_97 does not fit: (?!.*ws:)/)
})
