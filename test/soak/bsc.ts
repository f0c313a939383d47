import { createTestClient, encodeFunctionData, http, parseEther, parseGwei, publicActions, toHex, walletActions } from 'viem'
import { bsc } from 'viem/chains'
import { testUsdcAbi } from '../../src/chain/contracts/artifacts/TestUsdc.ts'
import { testWrappedCoinAbi, testWrappedCoinBytecode } from '../../src/chain/contracts/artifacts/TestWrappedCoin.ts'
import { createAsk } from '../../src/chain/embedded/devnode/ask.ts'
import { toChainSettings } from '../../src/chain/public/chainConfigs.ts'
import { lower } from '../../src/chain/rpc/checksum.ts'
import { type Address, address } from '../../src/domain/hex.ts'
import { readStandins, type Standin } from '../chain/standins/compiled.ts'
import { minedBy, people, startNode } from '../contracts/world.ts'
import { type Meddling, startRpcProxy } from '../faults/real/rpcProxy.ts'

export const chainId = 56
/** USDC on BSC has 18 decimals. */
export const oneUsdc = 10n ** 18n
/** The tip that nodes of BSC suggest; anvil suggests twenty times as much. */
const tip = parseGwei('0.05')
/** Gas money of the wallets that the operator fills. */
const operatorCoin = parseEther('10')

/**
 * Starts a node that behaves like one of BSC: chain id 56, blocks at a fixed interval, the fees of BSC, and at their real
 * addresses a USDC of 18 decimals without signed transfers, and a wrapped coin. The service reaches it through a proxy.
 */
export const startBsc = async ({ blockSeconds }: { blockSeconds: number }) => {
  const fees = ['--block-base-fee-per-gas', `${parseGwei('0.05')}`]
  const node = await startNode({ chainId, more: fees })
  const proxy = await startRpcProxy(node.url, [suggestedTip])
  const stop = () => Promise.all([proxy.stop(), node.stop()])
  try {
    const client = createTestClient({ mode: 'anvil', chain: bsc, transport: http(node.url), pollingInterval: 50 })
      .extend(publicActions)
      .extend(walletActions)
    const ask = createAsk(node.url)
    const mined = minedBy(client)
    const { usdc, wrappedCoin } = toChainSettings({ chainId, rpcUrl: node.url })
    const standin = await readStandins(['Tokens.sol'])
    const place = async ({ abi, bytecode }: Standin, at: Address) => {
      const { contractAddress } = await mined(client.deployContract({ abi, bytecode, account: people.deployer }))
      const code = contractAddress && (await client.getCode({ address: contractAddress }))
      if (!code) throw new Error('nothing was deployed')
      await client.setCode({ address: at, bytecode: code })
    }
    await place(standin('PlainToken'), usdc.address)
    if (wrappedCoin) await place({ abi: [...testWrappedCoinAbi], bytecode: testWrappedCoinBytecode }, wrappedCoin)
    await client.setAutomine(false)
    await client.setIntervalMining({ interval: blockSeconds })
    return {
      client,
      ask,
      proxy,
      usdc: usdc.address,
      nodeUrl: node.url,
      /** Fills a wallet with native coin, as an operator does. */
      fill: (wallet: string) => client.setBalance({ address: address.parse(wallet), value: operatorCoin }),
      /** Mints whole USDC to a wallet. */
      async mint(wallet: string, whole: number) {
        const data = encodeFunctionData({
          ...{ abi: testUsdcAbi, functionName: 'mint', args: [lower(wallet), BigInt(whole) * oneUsdc] },
        })
        await mined(client.sendTransaction({ account: people.deployer, to: usdc.address, data }))
      },
      /** Adds blocks now, so that a reorganisation cannot reach what was mined before. */
      bury: (blocks: number) => client.mine({ blocks }),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const suggestedTip: Meddling = {
  times: Number.POSITIVE_INFINITY,
  touches: ({ method }) => method === 'eth_maxPriorityFeePerGas',
  reply: async () => ({ result: toHex(tip) }),
}

export type Bsc = Awaited<ReturnType<typeof startBsc>>
