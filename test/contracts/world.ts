import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Abi,
  BaseError,
  ContractFunctionRevertedError,
  createTestClient,
  defineChain,
  getContract,
  type Hex,
  http,
  publicActions,
  TransactionReceiptNotFoundError,
  walletActions,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { agentRegistryAbi, agentRegistryBytecode } from '../../src/chain/contracts/artifacts/AgentRegistry.ts'
import { jobEscrowAbi, jobEscrowBytecode } from '../../src/chain/contracts/artifacts/JobEscrow.ts'
import { reputationRegistryAbi, reputationRegistryBytecode } from '../../src/chain/contracts/artifacts/ReputationRegistry.ts'
import { testUsdcAbi, testUsdcBytecode } from '../../src/chain/contracts/artifacts/TestUsdc.ts'
import { testWrappedCoinAbi, testWrappedCoinBytecode } from '../../src/chain/contracts/artifacts/TestWrappedCoin.ts'
import { tokenLaunchpadAbi, tokenLaunchpadBytecode } from '../../src/chain/contracts/artifacts/TokenLaunchpad.ts'
import { validationRegistryAbi, validationRegistryBytecode } from '../../src/chain/contracts/artifacts/ValidationRegistry.ts'

const anvil = new URL('../../node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil', import.meta.url).pathname
const mnemonic = 'test test test test test test test test test test test junk'
const account = (addressIndex: number) => mnemonicToAccount(mnemonic, { addressIndex })

/** Wallets with native coin on a new node. */
export const people = {
  deployer: account(0),
  client: account(1),
  provider: account(2),
  evaluator: account(3),
  treasury: account(4),
  stranger: account(5),
}

/** 5 %, high enough that a missing fee is not hidden by rounding. */
export const feeBps = 500
/** An odd fee and share, so that no rounding goes unnoticed. */
export const tokenFeeBps = 97
export const creatorShareBps = 5_001
export const virtualUsdc = 5_000_000_000n
export const virtualCoin = 8n * 10n ** 18n
export const usdc = (dollars: number) => BigInt(dollars) * 1_000_000n

/** Starts a new node on a free port; resolves with its URL once it listens. `more` are further arguments of anvil. */
export const startNode = async ({ chainId = 97, more = [] }: { chainId?: number; more?: string[] } = {}) => {
  // The output is piped and not inherited. A node that outlives its worker would otherwise keep the worker's output open, and
  // the test runner waits for its end.
  const child = spawn(anvil, ['--port', '0', '--chain-id', `${chainId}`, '--accounts', '6', ...more], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stderr.pipe(process.stderr, { end: false })
  let url = ''
  for await (const line of createInterface({ input: child.stdout })) {
    url = /^Listening on (.+)$/.exec(line)?.[1] ?? ''
    if (url) break
  }
  // An unread pipe would block the node once it is full.
  child.stdout.resume()
  const kill = () => child.kill('SIGKILL')
  // Kills the node when the process exits before it has stopped the node.
  process.once('exit', kill)
  const stop = async () => {
    process.off('exit', kill)
    const gone = once(child, 'exit')
    kill()
    await gone
  }
  return { url: `http://${url}`, stop }
}

const connect = (url: string) => {
  const chain = defineChain({
    id: 97,
    name: 'development',
    nativeCurrency: { name: 'coin', symbol: 'BNB', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  })
  return createTestClient({ mode: 'anvil', chain, transport: http(url), pollingInterval: 5 })
    .extend(publicActions)
    .extend(walletActions)
}

type Mining = Pick<ReturnType<typeof connect>, 'getTransactionReceipt'>

/**
 * Returns the receipt of a transaction that must succeed. It polls by itself, because viem checks only when the block number
 * changes. On a node that mines on demand, viem can miss the only block.
 */
export const minedBy = (chain: Mining) => async (sent: Promise<Hex>) => {
  const hash = await sent
  const until = Date.now() + 20_000
  for (;;) {
    const receipt = await chain.getTransactionReceipt({ hash }).catch(error => {
      if (!(error instanceof TransactionReceiptNotFoundError) || Date.now() > until) throw error
    })
    if (receipt?.status === 'success') return receipt
    if (receipt) throw new Error(`${hash} reverted`)
    await delay(5)
  }
}

/**
 * Starts a node with all contracts. Client and provider hold 1,000 USDC each, and the escrow has an allowance of the
 * client.
 */
export const startWorld = async () => {
  const node = await startNode()
  const chain = connect(node.url)
  const mined = minedBy(chain)
  const deploy = async (abi: Abi, bytecode: Hex, args: unknown[]) => {
    const { contractAddress } = await mined(chain.deployContract({ abi, bytecode, args, account: people.deployer }))
    if (!contractAddress) throw new Error('nothing was deployed')
    return contractAddress
  }

  const token = getContract({
    address: await deploy(testUsdcAbi, testUsdcBytecode, ['USD Coin', 'USDC', 6, people.deployer.address]),
    abi: testUsdcAbi,
    client: chain,
  })
  const escrow = getContract({
    address: await deploy(jobEscrowAbi, jobEscrowBytecode, [
      token.address,
      people.treasury.address,
      feeBps,
      people.evaluator.address,
    ]),
    // The token's errors pass through the escrow, so the ABI includes them for their names.
    abi: [...jobEscrowAbi, ...testUsdcAbi.filter(entry => entry.type === 'error')],
    client: chain,
  })
  const registry = getContract({
    address: await deploy(agentRegistryAbi, agentRegistryBytecode, [people.treasury.address]),
    abi: agentRegistryAbi,
    client: chain,
  })

  const reputation = getContract({
    address: await deploy(reputationRegistryAbi, reputationRegistryBytecode, [registry.address]),
    abi: [...reputationRegistryAbi, ...agentRegistryAbi.filter(entry => entry.type === 'error')],
    client: chain,
  })

  const wrappedCoin = getContract({
    address: await deploy(testWrappedCoinAbi, testWrappedCoinBytecode, []),
    abi: testWrappedCoinAbi,
    client: chain,
  })
  const launchpad = getContract({
    address: await deploy(tokenLaunchpadAbi, tokenLaunchpadBytecode, [
      registry.address,
      { usdc: token.address, virtualUsdc, wrappedCoin: wrappedCoin.address, virtualCoin },
      { feeBps: tokenFeeBps, creatorShareBps, treasury: people.treasury.address },
    ]),
    abi: [...tokenLaunchpadAbi, ...[...testUsdcAbi, ...testWrappedCoinAbi].filter(entry => entry.type === 'error')],
    client: chain,
  })

  const validation = getContract({
    address: await deploy(validationRegistryAbi, validationRegistryBytecode, [registry.address]),
    abi: [
      ...validationRegistryAbi,
      ...agentRegistryAbi.filter(entry => entry.type === 'error' && entry.name.startsWith('ERC721')),
    ],
    client: chain,
  })

  for (const { address } of [people.client, people.provider]) {
    await mined(token.write.mint([address, usdc(1_000)], { account: people.deployer }))
  }
  await mined(token.write.approve([escrow.address, 2n ** 256n - 1n], { account: people.client }))

  const now = async () => (await chain.getBlock()).timestamp
  /** Mines a block with this timestamp in s. */
  const warp = async (timestamp: bigint) => {
    await chain.setNextBlockTimestamp({ timestamp })
    await chain.mine({ blocks: 1 })
  }
  return {
    chain,
    token,
    escrow,
    registry,
    reputation,
    validation,
    wrappedCoin,
    launchpad,
    mined,
    deploy,
    now,
    warp,
    stop: node.stop,
  }
}

export type World = Awaited<ReturnType<typeof startWorld>>

/** The name of the error of a refused call, or 'accepted'. */
export const refusal = async (attempt: Promise<unknown>): Promise<string> => {
  try {
    await attempt
    return 'accepted'
  } catch (error) {
    const revert = error instanceof BaseError ? error.walk(cause => cause instanceof ContractFunctionRevertedError) : undefined
    if (!(revert instanceof ContractFunctionRevertedError)) throw error
    return revert.data?.errorName ?? revert.reason ?? revert.signature ?? 'reverted'
  }
}
