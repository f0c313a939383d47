import type { Address } from '../domain/hex.ts'
import { limits } from '../domain/limits.ts'
import { followTransaction } from '../operations/followTransaction.ts'
import type { Chain, Intent, Store } from '../ports.ts'
import type { Worker } from './loop.ts'

type Reach = { store: Store; chain: Chain }

/**
 * Write, send, look. Bytes are signed and stored with their nonce before they are sent; what was sent and not yet seen
 * mined is sent again as the same bytes, so that a crash or a lost answer between any two lines costs nothing.
 */
export const sendTransactions = (deps: Reach): Worker => ({
  name: `sendTransactions ${deps.chain.chainId}`,
  channel: 'intents',
  idleMs: 250,
  async runOnce() {
    const senders = await deps.store.activeSenders(deps.chain.chainId)
    // All of them end before this step does: another step beside it would read what this one is writing.
    const steps = await Promise.allSettled(senders.map(sender => sendFor(deps, sender)))
    const failed = steps.find(it => it.status === 'rejected')
    if (failed) throw failed.reason
    return steps.some(it => it.status === 'fulfilled' && it.value)
  },
})

const sendFor = async (deps: Reach, sender: Address): Promise<boolean> => {
  const flying = await lookUp(deps, sender)
  const room = limits.inFlight - flying.left
  const waiting = room > 0 ? await deps.store.sendable(deps.chain.chainId, sender, room) : []
  for (const intent of waiting) if (!(await sendOne(deps, intent))) break
  return flying.seen > 0
}

/** Asks the chain for everything in flight; what it does not know is sent again. */
const lookUp = async ({ store, chain }: Reach, sender: Address) => {
  const sent = await store.inFlight(chain.chainId, sender)
  let seen = 0
  for (const { intent, transactions } of sent) {
    const receipts = await Promise.all(transactions.map(it => chain.receipt(it.hash)))
    const mined = receipts.find(it => it !== undefined)
    if (mined) {
      await followTransaction({ store, chain }, intent, mined)
      seen += 1
      continue
    }
    const last = transactions.at(-1)
    // What was signed before it may have used up the gas money: the chain takes it once there is more.
    if (last && (await mayPay({ store, chain }, intent))) await chain.broadcast(last.raw)
  }
  return { seen, left: sent.length - seen }
}

const sendOne = async ({ store, chain }: Reach, intent: Intent): Promise<boolean> => {
  const { sender, call, chainId } = intent
  if (!(await mayPay({ store, chain }, intent))) return false
  const nonce = (await store.nextNonce(chainId, sender)) ?? (await chain.transactionCount(sender))
  const signed = await chain.sign(sender, nonce, call)
  const stored = await store.recordSigned(intent.seq, signed)
  if (stored) await chain.broadcast(signed.raw)
  return stored
}

/** Whether the sender can pay for the transaction now; asks for gas money when it cannot. The treasury is filled by its operator. */
const mayPay = async ({ store, chain }: Reach, { sender, call }: Intent): Promise<boolean> => {
  if (sender === chain.treasury || (await chain.hasGas(sender, call))) return true
  await askForGas({ store, chain }, sender)
  return false
}

/** One top-up for each transaction count: the wallet gets more only after it has used what it got. */
const askForGas = async ({ store, chain }: Reach, wallet: Address) => {
  const key = `gas:${chain.chainId}:${wallet}:${await chain.transactionCount(wallet)}`
  await store.addIntents([{ key, chainId: chain.chainId, sender: chain.treasury, call: chain.topUp(wallet), after: undefined }])
}
