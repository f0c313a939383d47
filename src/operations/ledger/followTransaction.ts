import { toAgentId } from '../../domain/agents/agentId.ts'
import type { Address, Hex } from '../../domain/hex.ts'
import { Problem } from '../../domain/problem.ts'
import { revertedTexts, toAbandonedTexts } from '../../domain/runTexts/transactions.ts'
import type { Chain, Consequence, FollowedWithdrawal, Follower, Intent, Log, Receipt, Store } from '../../ports.ts'
import { askFollowers } from './askFollowers.ts'
import { reportTransaction } from './bookings.ts'
import { jobOfIntent, undoStep } from './jobOfIntent.ts'

type Reach = { store: Store; chain: Chain; followers: readonly Follower[]; log?: Log | undefined }

/**
 * Records where an intent's transaction was mined, and its direct consequences. Money is moved by events only.
 * @returns whether this call recorded it
 */
export const followTransaction = async (deps: Reach, intent: Intent, receipt: Receipt): Promise<boolean> => {
  const mined = { ...receipt, success: receipt.success && (await isWithdrawn(deps, intent, receipt.hash)) }
  const follow = await consequenceOf(deps, intent, mined)
  const { hash, success, ...block } = mined
  const seen = { seq: intent.seq, key: intent.key, hash, mined: block, success }
  const isNew = await (follow
    ? deps.store.atomically(async tables => {
        const first = await tables.recordMined(seen)
        if (first) await follow(tables)
        return first
      })
    : deps.store.recordMined(seen))
  if (isNew) logMined(deps, intent, mined)
  return isNew
}

const logMined = ({ log, chain }: Reach, { key, sender }: Intent, { hash, success, blockNumber }: Receipt) => {
  const [subject, id] = key.split(':')
  const of = { chain: chain.chainId, ...(subject === 'job' && { job: id }), sender, purpose: key }
  log?.info({ ...of, hash, block: Number(blockNumber), success }, 'chain effect mined')
}

/** Undefined without one: the success of a job's step is processed by its event. */
const consequenceOf = async (deps: Reach, intent: Intent, mined: Receipt): Promise<Consequence | undefined> => {
  const added = await askFollowers(deps, intent, mined)
  if (added) return added
  const [subject, of = '', step] = intent.key.split(':')
  if (subject === 'register' && mined.success) return registered(deps.chain, `${of}:${step}`, mined)
  return mined.success ? undefined : refused(deps, intent, mined)
}

const registered = async (chain: Chain, agentKey: string, mined: Receipt): Promise<Consequence | undefined> => {
  const number = await chain.registeredAgent(mined.hash)
  return number === undefined
    ? undefined
    : tables => tables.setAgentId(agentKey, toAgentId(chain.chainId, chain.addresses.registry, number))
}

const refused = async (deps: Reach, intent: Intent, { hash, blockNumber }: Receipt): Promise<Consequence> => {
  const of = await jobOfIntent(deps.store, intent)
  const undo = await undoStep(deps, intent, revertedTexts)
  return async tables => {
    if (of) await reportTransaction(tables, of.job, { step: of.step, hash, blockNumber, success: false })
    await undo(tables)
  }
}

/**
 * Whether the mined transaction of a withdrawal moved its tokens to where they were to go, as its receipt says: some tokens
 * refuse a transfer without a revert. True for intents that withdraw no token.
 * @throws Problem chain-unavailable when the node knows no receipt
 */
const isWithdrawn = async ({ store, chain }: { store: Store; chain: Chain }, { key }: Intent, hash: Hex): Promise<boolean> => {
  const [subject, id = ''] = key.split(':')
  const asked = subject === 'withdraw' ? await store.withdrawal(id) : undefined
  const token = asked && tokenOf(chain, asked)
  if (!asked || !token || !chain.hasMoved) return true
  const { wallet: from, to, amount: value } = asked
  const hasMoved = await chain.hasMoved(hash, { token, from, to, value })
  if (hasMoved === undefined) throw new Problem('chain-unavailable', `The chain shows no receipt of ${hash}.`)
  return hasMoved
}

const tokenOf = ({ addresses }: Chain, { asset }: FollowedWithdrawal): Address | undefined => {
  if (asset === 'usdc') return addresses.usdc
  if (asset === 'wrapped') return addresses.wrappedCoin
  return asset === 'coin' ? undefined : asset
}

/**
 * Abandons an intent that the contract would refuse, before it costs gas, and applies the consequences for its job. An intent
 * whose effect someone else caused first is decided only after its confirmations; until then it stays as it is.
 */
export const giveUpIntent = async (
  deps: { store: Store; chain: Chain; followers: readonly Follower[] },
  { intent, reason }: { intent: Intent; reason: string },
): Promise<void> => {
  const { store, chain, followers } = deps
  for (const it of followers) if (await it.isUnconfirmed?.({ store, chain }, intent)) return
  const undo = (await askFollowers(deps, intent)) ?? (await undoStep(deps, intent, toAbandonedTexts(reason)))
  await deps.store.atomically(async tables => {
    if (await tables.giveUp(intent.seq, reason)) await undo(tables)
  })
}
