import { toAgentId } from '../domain/agentId.ts'
import type { Chain, Intent, Receipt, Store, Tables } from '../ports.ts'
import { tellTransaction } from './tellTransaction.ts'

type Reach = { store: Store; chain: Chain }

/** Records where an intent's transaction was mined, together with what follows from it alone. Money follows from events. */
export const followTransaction = async (deps: Reach, intent: Intent, mined: Receipt): Promise<void> => {
  const follow = await consequenceOf(deps, intent, mined)
  const { blockNumber, blockTime, index } = mined
  await deps.store.atomically(async tables => {
    const first = await tables.recordMined(intent.seq, mined.hash, { blockNumber, blockTime, index }, mined.success)
    if (first) await follow(tables)
  })
}

type Consequence = (tables: Tables) => Promise<unknown>

const consequenceOf = async ({ store, chain }: Reach, intent: Intent, mined: Receipt): Promise<Consequence> => {
  const [subject, ...rest] = intent.key.split(':')
  if (subject === 'register') return registered(chain, rest.join(':'), mined)
  const [jobId = '', step = ''] = rest
  const job = subject === 'job' && !mined.success ? await store.job(jobId) : undefined
  if (!job) return async () => undefined // what succeeded for a job is told by its event
  return async tables => {
    await tellTransaction(tables, job, { step, hash: mined.hash, blockNumber: mined.blockNumber, success: false })
    if (step === 'hire') await tables.moveJob(jobId, 'cancel', { reason: 'The hire transaction was refused by the contract.' })
  }
}

const registered = async (chain: Chain, agentKey: string, mined: Receipt): Promise<Consequence> => {
  const number = mined.success ? await chain.registeredAgent(mined.hash) : undefined
  if (number === undefined) return async () => undefined
  return tables => tables.setAgentId(agentKey, toAgentId(chain.chainId, chain.addresses.registry, number))
}
