import { randomBytes } from 'node:crypto'
import { parseEther } from 'viem'
import { createEvmChain } from '../../src/chain/evmChain.ts'
import type { SpendingLimits } from '../../src/chain/signing/clientGate.ts'
import { embeddedPolicy } from '../../src/chain/signing/policy.ts'
import { createSealer } from '../../src/chain/signing/secrets.ts'
import { createWallets } from '../../src/chain/signing/wallets.ts'
import type { Address } from '../../src/domain/hex.ts'
import type { Call, Chain } from '../../src/ports.ts'
import { openStore } from '../../src/store/store.ts'
import { sendTransactions } from '../../src/workers/sendTransactions.ts'
import { tables } from '../assembled.ts'
import { newStoreFile } from '../store/template.ts'
import { startExternal } from './external.ts'

const gwei = 10n ** 9n

/** The policy of a public chain with short time limits. */
const policy = { ...embeddedPolicy, triesFirst: true, resendAfterMs: 0, replaceAfterMs: 300, maxFeePerGasWei: 500n * gwei }

/** Addresses without a contract, enough to sign calls of them. */
const validationRegistry: Address = '0x000000000000000000000000000000000000008c'
const launchpad: Address = '0x00000000000000000000000000000000000000bc'
const wrappedCoin: Address = '0x00000000000000000000000000000000000000cc'

/** Opens a sender with custodial wallets on its own plain node. */
export const openSenders = async (options: { spending?: SpendingLimits } = {}) => {
  const external = await startExternal()
  const { client } = external
  const { place, remove } = await newStoreFile()
  const store = await openStore({ ...place, tables, clock: { now: Date.now } })
  const wallets = createWallets({ store, sealer: createSealer(randomBytes(32)) })
  const treasury = await wallets.ensure('treasury', '')
  const evaluator = await wallets.ensure('evaluator', '')
  const usdc = await external.deployUsdc(6)
  const escrow = await external.deployEscrow(usdc, { treasury, feeBps: 0 })
  const registry = await external.deployRegistry(treasury)
  const parts = {
    addresses: { escrow, usdc, registry, reputation: registry, validation: validationRegistry, launchpad, wrappedCoin },
    usdcDecimals: 6,
    feeBps: 0,
    faucet: false,
  }
  const whose = { evaluator, treasury, wallets, store, ...options }
  const chain = createEvmChain({ chainId: 97, rpcUrl: external.url, ...parts, ...whose, policy })
  await client.setBalance({ address: treasury, value: parseEther('10') })

  const world = {
    external,
    client,
    store,
    wallets,
    chain,
    treasury,
    /** Creates a wallet with coin. */
    async rich(role: 'agent' | 'user', owner: string): Promise<Address> {
      const wallet = await wallets.ensure(role, owner)
      await client.setBalance({ address: wallet, value: parseEther('1') })
      return wallet
    },
    decide: (key: string, call: Call, { sender = treasury, after }: { sender?: Address; after?: string } = {}) =>
      store.addIntents([{ key, chainId: 97, sender, call, after }]),
    /** Runs one step of a new sender, which has no memory of earlier steps. */
    step: (over: Partial<Chain> = {}) => sendTransactions({ store, chain: { ...chain, ...over }, followers: [] }).runOnce(),
    /** Steps and mines until an intent is confirmed. */
    async done(key: string) {
      const worker = sendTransactions({ store, chain, followers: [] })
      for (;;) {
        const intent = await store.intent(key)
        if (intent?.state === 'confirmed' || intent?.state === 'reverted') return intent
        await worker.runOnce()
        await client.mine({ blocks: 1 })
      }
    },
    async close() {
      await external.stop()
      await store.close()
      await remove()
    },
  }
  return world
}

export type Senders = Awaited<ReturnType<typeof openSenders>>
