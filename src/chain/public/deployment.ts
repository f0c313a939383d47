import { encodeDeployData, formatEther, zeroAddress } from 'viem'
import type { Address, Hex } from '../../domain/hex.ts'
import { parseUsdc } from '../../domain/money/money.ts'
import { Problem } from '../../domain/problem.ts'
import { agentRegistryAbi, agentRegistryBytecode } from '../contracts/artifacts/AgentRegistry.ts'
import { jobEscrowAbi, jobEscrowBytecode } from '../contracts/artifacts/JobEscrow.ts'
import { reputationRegistryAbi, reputationRegistryBytecode } from '../contracts/artifacts/ReputationRegistry.ts'
import { testUsdcAbi } from '../contracts/artifacts/TestUsdc.ts'
import { tokenLaunchpadAbi, tokenLaunchpadBytecode } from '../contracts/artifacts/TokenLaunchpad.ts'
import { validationRegistryAbi, validationRegistryBytecode } from '../contracts/artifacts/ValidationRegistry.ts'
import { lower } from '../rpc/checksum.ts'
import { answered, type Node } from '../rpc/node.ts'
import type { KeyAccount } from '../signing/recording.ts'
import type { ChainSettings } from './chainConfigs.ts'

/** Settings that name the contracts of a chain, without the chain id at their end. */
export const deployables = ['REGISTRY', 'REPUTATION', 'VALIDATION', 'ESCROW', 'LAUNCHPAD'] as const
export type Deployable = (typeof deployables)[number]

export type DeploymentOptions = {
  settings: ChainSettings
  /** Addresses in the settings. A contract whose address has code is kept. */
  given: Partial<Record<Deployable, Address>>
  treasury: Address
  /** The evaluator of this service, whose jobs cost less gas in the escrow. */
  evaluator: Address
  escrowFeeBps: number
}

/** Contracts in the order of their deployment, with those that exist already. */
export type DeploymentPlan = { missing: Deployable[]; existing: Partial<Record<Deployable, Address>> }

/** Fees and first market value of tokens, as on the embedded chain. */
const tokenFees = { feeBps: 100, creatorShareBps: 5_000 }
const firstValue = '5000'
const virtualCoin = 8n * 10n ** 18n

const hasCode = async (node: Node, address: Address | undefined): Promise<boolean> =>
  address !== undefined && (await answered(node.getCode({ address }))) !== undefined

/**
 * Finds what a chain lacks. Registries are deployed only where neither the settings nor the canonical address have code.
 * @throws Problem chain-unavailable
 * @throws Error when the node serves another chain, or has no USDC
 */
export const planDeployment = async (node: Node, { settings, given }: DeploymentOptions): Promise<DeploymentPlan> => {
  const { chainId, usdc, registry, reputation } = settings
  const answers = await answered(node.getChainId())
  if (answers !== chainId) throw new Error(`The node behind RPC_URL_${chainId} serves chain ${answers}.`)
  if (!(await hasCode(node, usdc.address)))
    throw new Error(`There is no USDC at ${usdc.address} on chain ${chainId}; set USDC_${chainId} to the right one.`)
  const known: Record<Deployable, Address | undefined> = {
    REGISTRY: given.REGISTRY ?? registry,
    REPUTATION: given.REPUTATION ?? reputation,
    VALIDATION: given.VALIDATION,
    ESCROW: given.ESCROW,
    LAUNCHPAD: given.LAUNCHPAD,
  }
  const plan: DeploymentPlan = { missing: [], existing: {} }
  for (const name of deployables) {
    const address = known[name]
    if (address && (await hasCode(node, address))) plan.existing[name] = address
    else plan.missing.push(name)
  }
  return plan
}

type Placed = Partial<Record<Deployable, Address>>

/** Creation code and arguments of one contract. The treasury of this service receives every fee. */
const creationOf = async (
  node: Node,
  of: DeploymentOptions,
  { name, placed }: { name: Deployable; placed: Placed },
): Promise<Hex> => {
  const { usdc, wrappedCoin } = of.settings
  const registry = placed.REGISTRY ?? of.settings.registry
  if (name === 'REGISTRY')
    return encodeDeployData({ abi: agentRegistryAbi, bytecode: agentRegistryBytecode, args: [of.treasury] })
  if (name === 'REPUTATION')
    return encodeDeployData({ abi: reputationRegistryAbi, bytecode: reputationRegistryBytecode, args: [registry] })
  if (name === 'VALIDATION')
    return encodeDeployData({ abi: validationRegistryAbi, bytecode: validationRegistryBytecode, args: [registry] })
  if (name === 'ESCROW')
    return encodeDeployData({
      abi: jobEscrowAbi,
      bytecode: jobEscrowBytecode,
      args: [usdc.address, of.treasury, of.escrowFeeBps, of.evaluator],
    })
  const decimals = await answered(node.readContract({ address: usdc.address, abi: testUsdcAbi, functionName: 'decimals' }))
  const hasCoin = await hasCode(node, wrappedCoin)
  const reserves = {
    usdc: usdc.address,
    virtualUsdc: parseUsdc(firstValue, decimals) ?? 0n,
    wrappedCoin: hasCoin && wrappedCoin ? wrappedCoin : zeroAddress,
    virtualCoin: hasCoin ? virtualCoin : 0n,
  }
  const fees = { ...tokenFees, treasury: of.treasury }
  return encodeDeployData({ abi: tokenLaunchpadAbi, bytecode: tokenLaunchpadBytecode, args: [registry, reserves, fees] })
}

type Priced = { plan: DeploymentPlan; from: Address }
/** Gas of each missing contract, estimated by the node, and the price of all of them now in wei. */
export const priceDeployment = async (node: Node, of: DeploymentOptions, { plan, from }: Priced) => {
  const { maxFeePerGas } = await answered(node.estimateFeesPerGas())
  // The gas does not depend on which contract an argument names, so USDC stands for a registry that is not deployed yet.
  const placed = { REGISTRY: of.settings.usdc.address, ...plan.existing }
  const gas: { name: Deployable; gas: bigint }[] = []
  for (const name of plan.missing) {
    const data = await creationOf(node, of, { name, placed })
    gas.push({ name, gas: await answered(node.estimateGas({ account: from, data })) })
  }
  const total = gas.reduce((sum, it) => sum + it.gas, 0n)
  return { gas, costWei: withMargin(total) * maxFeePerGas, balanceWei: await answered(node.getBalance({ address: from })) }
}

const withMargin = (gas: bigint) => (gas * 6n) / 5n

/**
 * Deploys the missing contracts one after the other. `placed` is called after each one, so that an interrupted run continues with
 * the next contract.
 * @throws Error when the deployer has too little coin, or a deployment fails
 */
export const deployMissing = async (
  node: Node,
  of: DeploymentOptions & { account: KeyAccount; plan: DeploymentPlan },
  placed: (name: Deployable, address: Address) => Promise<void>,
): Promise<Placed> => {
  const { account, plan, settings } = of
  const from = lower(account.address)
  const { costWei, balanceWei } = await priceDeployment(node, of, { plan, from })
  if (balanceWei < costWei)
    throw new Error(
      `The deployer ${from} has ${formatEther(balanceWei)} of the ${formatEther(costWei)} coins that this may cost.`,
    )
  const done: Placed = { ...plan.existing }
  for (const name of plan.missing) {
    const data = await creationOf(node, of, { name, placed: done })
    const gas = withMargin(await answered(node.estimateGas({ account: from, data })))
    const { maxFeePerGas, maxPriorityFeePerGas } = await answered(node.estimateFeesPerGas())
    const nonce = await answered(node.getTransactionCount({ address: from, blockTag: 'pending' }))
    const raw = await account.signTransaction({
      type: 'eip1559',
      chainId: settings.chainId,
      nonce,
      data,
      gas,
      maxFeePerGas,
      maxPriorityFeePerGas,
    })
    const hash = await answered(node.request({ method: 'eth_sendRawTransaction', params: [raw] }))
    const { contractAddress, status } = await answered(node.waitForTransactionReceipt({ hash, confirmations: 1 }))
    if (status !== 'success' || !contractAddress) throw new Problem('internal', `The deployment ${hash} of ${name} failed.`)
    done[name] = lower(contractAddress)
    await placed(name, lower(contractAddress))
  }
  return done
}
