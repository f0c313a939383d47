import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startEmbeddedChain } from '../../src/chain/embedded/embeddedChain.ts'
import { createSealer } from '../../src/chain/signing/secrets.ts'
import { createWallets } from '../../src/chain/signing/wallets.ts'
import type { Address } from '../../src/domain/hex.ts'
import type { Call, Receipt } from '../../src/ports.ts'
import { openStore } from '../../src/store/store.ts'
import { tables } from '../assembled.ts'
import { copySchema } from '../store/template.ts'
import { agreeTo, usdc } from './consents.ts'

export { usdc }

const feeBps = 250

export type World = Awaited<ReturnType<typeof openWorld>>

/** Opens a database, its custodial wallets and an embedded chain in their own directory. It can be restarted. */
export const openWorld = async (given?: { dir: string; masterKey?: Uint8Array; anvil?: string }) => {
  const dir = given?.dir ?? (await mkdtemp(join(tmpdir(), 'chain-')))
  const masterKey = given?.masterKey ?? randomBytes(32)
  const file = join(dir, 'store.db')
  if (!given) await copySchema(file)
  const store = await openStore({ file, tables, clock: { now: Date.now } })
  const wallets = createWallets({ store, sealer: createSealer(masterKey) })
  const start = () => startEmbeddedChain({ dir: join(dir, 'chain'), store, wallets, feeBps, anvil: given?.anvil })
  let embedded = await start()
  const fresh = randomBytes(4).toString('hex')
  let sent = 0

  /** Adds an intent, then signs, stores and broadcasts it, without waiting for its block. */
  const send = async (sender: Address, call: Call, purpose?: string) => {
    const { chain } = embedded
    const key = `test:${fresh}:${sent++}`
    await store.addIntents([{ key, chainId: chain.chainId, sender, call, after: undefined }])
    const intent = await store.intent(key)
    if (!intent) throw new Error('the intent is gone')
    const nonce = (await store.nextNonce(chain.chainId, sender)) ?? (await chain.transactionCount(sender))
    const signed = await chain.sign({ sender, nonce, call, purpose })
    if (!(await store.recordSigned(intent.seq, signed))) throw new Error('the nonce was taken')
    await chain.broadcast(signed.raw)
    return { seq: intent.seq, ...signed }
  }

  /** Waits for the receipt of a transaction. */
  const mined = async (hash: Receipt['hash']): Promise<Receipt> => {
    for (;;) {
      const receipt = await embedded.chain.receipt(hash)
      if (receipt) return receipt
      await delay(5)
    }
  }

  /** Sends a call, waits for its block and records it in the journal. */
  const settle = async (sender: Address, call: Call, purpose?: string): Promise<Receipt> => {
    const { seq, hash } = await send(sender, call, purpose)
    const receipt = await mined(hash)
    await store.recordMined({ seq, hash, mined: receipt, success: receipt.success })
    return receipt
  }

  /** The call of a hire for ten USDC with its user's consent. */
  const agreed = (of: { jobId: string; client: Address; provider: Address }) => agreeTo(store, embedded.chain, of)

  return {
    dir,
    agreed,
    masterKey,
    store,
    wallets,
    send,
    mined,
    settle,
    get embedded() {
      return embedded
    },
    get chain() {
      return embedded.chain
    },
    /** Stops the chain as a service does, and starts it again. */
    async restart() {
      await embedded.stop()
      embedded = await start()
    },
    /** Creates a user's custodial wallet with coin and USDC. */
    async client(name: string, amount = usdc(100)) {
      const { chain } = embedded
      const wallet = await wallets.ensure('user', name)
      await settle(chain.treasury, chain.topUp(wallet))
      if (chain.faucet) await settle(chain.treasury, chain.faucet(wallet, amount))
      return wallet
    },
    /** Creates an agent's wallet with coin. */
    async provider(name: string) {
      const wallet = await wallets.ensure('agent', name)
      await settle(embedded.chain.treasury, embedded.chain.topUp(wallet))
      return wallet
    },
    /** Hires for ten USDC. Returns the on-chain job id and the transaction. */
    async hired(jobId: string, client: Address, provider: Address) {
      const { call, purpose } = await agreed({ jobId, client, provider })
      const receipt = await settle(client, call, purpose)
      const events = await embedded.chain.events(receipt.blockNumber, receipt.blockNumber)
      const created = events.find(event => event.name === 'JobCreated' && event.jobKey === jobId)
      if (!created) throw new Error('no job was created')
      return { chainJobId: created.chainJobId, receipt }
    },
    async close() {
      await embedded.stop()
      await store.close()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
