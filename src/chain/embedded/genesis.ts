import { isDeepStrictEqual } from 'node:util'
import { encodeDeployData, getContractAddress } from 'viem'
import { z } from 'zod'
import { address as anAddress, type Hex } from '../../domain/hex.ts'
import { agentRegistryAbi, agentRegistryBytecode } from '../contracts/artifacts/AgentRegistry.ts'
import { jobEscrowAbi, jobEscrowBytecode } from '../contracts/artifacts/JobEscrow.ts'
import { reputationRegistryAbi, reputationRegistryBytecode } from '../contracts/artifacts/ReputationRegistry.ts'
import { testUsdcAbi, testUsdcBytecode } from '../contracts/artifacts/TestUsdc.ts'
import { testWrappedCoinAbi, testWrappedCoinBytecode } from '../contracts/artifacts/TestWrappedCoin.ts'
import { tokenLaunchpadAbi, tokenLaunchpadBytecode } from '../contracts/artifacts/TokenLaunchpad.ts'
import { validationRegistryAbi, validationRegistryBytecode } from '../contracts/artifacts/ValidationRegistry.ts'
import { lower } from '../reading/chainEvents.ts'
import type { Custody } from '../signing/wallets.ts'
import type { Ask } from './devnode/ask.ts'
import { mineBlock } from './devnode/mining.ts'

/** Contents of the first block of an embedded chain. The same input always gives the same genesis. */
export const genesis = z.object({
  chainId: z.number().int(),
  deployer: anAddress,
  treasury: anAddress,
  evaluator: anAddress,
  feeBps: z.number().int(),
  addresses: z.object({
    escrow: anAddress,
    usdc: anAddress,
    registry: anAddress,
    reputation: anAddress,
    wrappedCoin: anAddress,
    launchpad: anAddress,
    validation: anAddress,
  }),
})
export type Genesis = z.infer<typeof genesis>

/** A stored genesis. Chains made by earlier versions do not name the contracts that came later. */
export const recordedGenesis = genesis.extend({
  addresses: genesis.shape.addresses.partial({ reputation: true, wrappedCoin: true, launchpad: true, validation: true }),
})
export type RecordedGenesis = z.infer<typeof recordedGenesis>

export const usdcDecimals = 6
/** A million coins for each platform wallet, which no amount of test traffic uses up. */
const initialBalanceWei = 10n ** 24n
const deploymentGas = 6_000_000n
/** The first market value of an agent token: 5,000 USDC, or eight coins. */
const virtualUsdc = 5_000n * 10n ** BigInt(usdcDecimals)
const virtualCoin = 8n * 10n ** 18n
/** Fee of a trade, of which its creator gets one half. */
const tokenFees = { feeBps: 100, creatorShareBps: 5_000 }
const gwei = 10n ** 9n

/** The addresses follow from the deployer's key and the order of deployment. */
export const toGenesis = (of: Omit<Genesis, 'addresses'>): Genesis => {
  const contract = (nonce: bigint) => lower(getContractAddress({ from: of.deployer, nonce }))
  const addresses = {
    escrow: contract(1n),
    usdc: contract(0n),
    registry: contract(2n),
    reputation: contract(3n),
    wrappedCoin: contract(4n),
    launchpad: contract(5n),
    validation: contract(6n),
  }
  return { ...of, addresses }
}

/** Whether a chain was made by the same wallets and settings. Contracts that its record does not name are ignored. */
export const isSameChain = (recorded: RecordedGenesis, planned: Genesis): boolean =>
  isDeepStrictEqual({ ...recorded, addresses: { ...planned.addresses, ...recorded.addresses } }, planned)

/** Funds the platform's wallets and deploys the contracts in one block. Throws when a contract is not at its address. */
export const setUp = async (ask: Ask, of: Genesis, wallets: Pick<Custody, 'holder'>): Promise<void> => {
  for (const wallet of [of.deployer, of.treasury, of.evaluator])
    await ask('anvil_setBalance', wallet, `0x${initialBalanceWei.toString(16)}`)
  await deployMissing(ask, of, wallets)
  await checkCode(ask, of.addresses)
}

/**
 * Deploys, in one block, contracts that a chain of an earlier version lacks. The deployer sends nothing else, so its nonce
 * tells which are missing.
 */
export const deployMissing = async (ask: Ask, of: Genesis, wallets: Pick<Custody, 'holder'>): Promise<void> => {
  const { account } = await wallets.holder(of.deployer)
  const deployed = Number(await ask('eth_getTransactionCount', of.deployer, 'latest'))
  const missing = [...deployments(of).entries()].slice(deployed)
  for (const [nonce, data] of missing) {
    const fees = { maxFeePerGas: gwei, maxPriorityFeePerGas: gwei }
    const raw = await account.signTransaction({ type: 'eip1559', chainId: of.chainId, nonce, data, gas: deploymentGas, ...fees })
    await ask('eth_sendRawTransaction', raw)
  }
  if (missing.length > 0) await mineBlock(ask)
}

/** Throws unless all contracts have code. */
export const checkCode = async (ask: Ask, addresses: Genesis['addresses']): Promise<void> => {
  for (const [name, at] of Object.entries(addresses)) {
    if ((await ask('eth_getCode', at, 'latest')) === '0x') throw new Error(`The embedded chain has no ${name} at ${at}.`)
  }
}

const deployments = ({ addresses, treasury, evaluator, feeBps }: Genesis): Hex[] => [
  encodeDeployData({
    abi: testUsdcAbi,
    bytecode: testUsdcBytecode,
    args: ['USD Coin', 'USDC', usdcDecimals, treasury],
  }),
  encodeDeployData({ abi: jobEscrowAbi, bytecode: jobEscrowBytecode, args: [addresses.usdc, treasury, feeBps, evaluator] }),
  encodeDeployData({ abi: agentRegistryAbi, bytecode: agentRegistryBytecode, args: [treasury] }),
  encodeDeployData({ abi: reputationRegistryAbi, bytecode: reputationRegistryBytecode, args: [addresses.registry] }),
  encodeDeployData({ abi: testWrappedCoinAbi, bytecode: testWrappedCoinBytecode }),
  encodeDeployData({
    abi: tokenLaunchpadAbi,
    bytecode: tokenLaunchpadBytecode,
    args: [
      addresses.registry,
      { usdc: addresses.usdc, virtualUsdc, wrappedCoin: addresses.wrappedCoin, virtualCoin },
      { ...tokenFees, treasury },
    ],
  }),
  encodeDeployData({ abi: validationRegistryAbi, bytecode: validationRegistryBytecode, args: [addresses.registry] }),
]
