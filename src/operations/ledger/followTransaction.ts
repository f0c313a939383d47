import { toAgentId } from '../../domain/agents/agentId.ts'
import { revertedTexts } from '../../domain/runTexts/transactions.ts'
import type { Chain, Consequence, Follower, Intent, Log, Receipt, Store } from '../../ports.ts'
import { askFollowers } from './askFollowers.ts'
import { jobOfIntent, undoStep } from './jobOfIntent.ts'
import { reportTransaction } from './reportTransaction.ts'
import { isWithdrawn } from './withdrawalPayments.ts'

type Reach = { store: Store; chain: Chain; followers: readonly Follower[]; log?: Log | undefined }

/**
 * Records where an intent's transaction was mined, and its direct consequences. Money is moved by events only.
 * @returns whether this call recorded it
 */
export const followTransaction = async (deps: Reach, intent: Intent, receipt: Receipt): Promise<boolean> => {
  const mined = { ...receipt, success: receipt.success && (await isWithdrawn(deps, intent, receipt.hash)) }
  const follow = await consequenceOf(deps, intent, mined)
  const { hash, success, ...block } = mined
  const isNew = await deps.store.atomically(async tables => {
    const first = await tables.recordMined({ seq: intent.seq, hash, mined: block, success })
    if (first) await follow(tables)
    return first
  })
  if (isNew) logMined(deps, intent, mined)
  return isNew
}

const logMined = ({ log, chain }: Reach, { key, sender }: Intent, { hash, success, blockNumber }: Receipt) => {
  const [subject, id] = key.split(':')
  const of = { chain: chain.chainId, ...(subject === 'job' && { job: id }), sender, purpose: key }
  log?.info({ ...of, hash, block: Number(blockNumber), success }, 'chain effect mined')
}

const consequenceOf = async (deps: Reach, intent: Intent, mined: Receipt): Promise<Consequence> => {
  const added = await askFollowers(deps, intent, mined)
  if (added) return added
  const [subject, of = '', step] = intent.key.split(':')
  if (subject === 'register' && mined.success) return registered(deps.chain, `${of}:${step}`, mined)
  if (!mined.success) return refused(deps, intent, mined)
  // The success of a job's step is processed by its event.
  return async () => undefined
}

const registered = async (chain: Chain, agentKey: string, mined: Receipt): Promise<Consequence> => {
  const number = await chain.registeredAgent(mined.hash)
  if (number === undefined) return async () => undefined
  return tables => tables.setAgentId(agentKey, toAgentId(chain.chainId, chain.addresses.registry, number))
}

const refused = async (deps: Reach, intent: Intent, { hash, blockNumber }: Receipt): Promise<Consequence> => {
  const of = await jobOfIntent(deps.store, intent)
  const undo = await undoStep(deps, intent, revertedTexts)
  return async tables => {
    if (of) await reportTransaction(tables, of.job, { step: of.step, hash, blockNumber, success: false })
    await undo(tables)
  }
}
