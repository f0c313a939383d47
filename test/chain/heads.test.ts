import { createTestClient, http, keccak256, publicActions, toHex, walletActions } from 'viem'
import { bscTestnet } from 'viem/chains'
import { expect, onTestFinished, test } from 'vitest'
import { createAsk } from '../../src/chain/embedded/devnode/ask.ts'
import { createChainReads } from '../../src/chain/reading/chainReads.ts'
import { lower } from '../../src/chain/rpc/checksum.ts'
import { createNode } from '../../src/chain/rpc/node.ts'
import { people, startNode } from '../contracts/world.ts'
import { startRpcProxy } from '../faults/real/rpcProxy.ts'

const none = lower(people.stranger.address)

/** Readers of a node behind a proxy that counts requests. The newest block may be a millisecond old. */
const startReads = async () => {
  const external = await startNode()
  onTestFinished(external.stop)
  const proxy = await startRpcProxy(external.url)
  onTestFinished(proxy.stop)
  const node = createTestClient({ mode: 'anvil', chain: bscTestnet, transport: http(external.url) })
    .extend(publicActions)
    .extend(walletActions)
  await node.mine({ blocks: 5 })
  const addresses = { escrow: none, usdc: none, registry: none, reputation: none }
  const reads = createChainReads({ node: createNode({ rpcUrl: proxy.url }), addresses, confirmations: 2, freshMs: 1 })
  return { node, reads, ask: createAsk(external.url), asked: (method: string) => proxy.asked().get(method) ?? 0 }
}

test('while no block is mined, blocks below the newest one and missing receipts are asked for once', async () => {
  const { node, reads, asked } = await startReads()
  const hash = keccak256(toHex('nothing'))
  const look = async () => {
    expect((await reads.head()).number).toBe((await node.getBlockNumber({ cacheTime: 0 })) - 2n)
    expect(await reads.blockHash(1n)).toBe((await node.getBlock({ blockNumber: 1n })).hash)
    expect(await reads.receipt(hash)).toBeUndefined()
  }
  await look()
  const known = asked('eth_getTransactionReceipt')
  for (let times = 0; times < 5; times += 1) await look()
  expect([known, asked('eth_getTransactionReceipt')]).toEqual([1, 1])
  const before = asked('eth_getBlockByNumber')
  const { number } = await reads.head()
  await node.mine({ blocks: 1 })
  await expect.poll(async () => (await reads.head()).number).toBe(number + 1n)
  await look()
  expect(asked('eth_getTransactionReceipt')).toBe(2)
  expect(asked('eth_getBlockByNumber')).toBeGreaterThan(before)
})

test('after a reorganisation the kept blocks are read again, and a receipt comes with its confirmations', async () => {
  const { node, ask, reads } = await startReads()
  const hash = await node.sendTransaction({ account: people.client, to: none, value: 1n })
  await node.mine({ blocks: 1 })
  expect(await reads.receipt(hash)).toBeUndefined()
  const [number, before] = [4n, await reads.blockHash(4n)]
  await ask('anvil_reorg', 5, [])
  await expect.poll(() => reads.blockHash(number)).not.toBe(before)
  expect(await reads.blockHash(number)).toBe((await node.getBlock({ blockNumber: number })).hash)
  const again = await node.sendTransaction({ account: people.client, to: none, value: 2n })
  await node.mine({ blocks: 3 })
  await expect.poll(() => reads.receipt(again)).toMatchObject({ hash: again, success: true })
})
