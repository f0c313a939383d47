import { toAgentId } from '../domain/agentId.ts'
import type { Chain, Intent, Job, Receipt, Store, Tables } from '../ports.ts'
import { refundIntent } from './closeJob.ts'
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

const nothing: Consequence = async () => undefined

const consequenceOf = async ({ store, chain }: Reach, intent: Intent, mined: Receipt): Promise<Consequence> => {
  const [subject, id = '', step = ''] = intent.key.split(':')
  if (subject === 'register' && mined.success) return registered(chain, `${id}:${step}`, mined)
  // What succeeded for a job is told by its event.
  const job = subject === 'job' && !mined.success ? await store.job(id) : undefined
  return job ? tables => refused({ tables, chain, job, step }, mined) : nothing
}

const registered = async (chain: Chain, agentKey: string, mined: Receipt): Promise<Consequence> => {
  const number = await chain.registeredAgent(mined.hash)
  if (number === undefined) return nothing
  return tables => tables.setAgentId(agentKey, toAgentId(chain.chainId, chain.addresses.registry, number))
}

type Refused = { tables: Tables; chain: Chain; job: Job; step: string }

/** A hire that the contract refused never took money; a payout that it refused leaves money to return. */
const refused = async ({ tables, chain, job, step }: Refused, { hash, blockNumber }: Receipt) => {
  await tellTransaction(tables, job, { step, hash, blockNumber, success: false })
  if (step === 'hire') await tables.moveJob(job.id, 'cancel', { reason: 'The hire transaction was refused by the contract.' })
  if (step === 'submit' || step === 'complete')
    await tables.addIntents(refundIntent(chain, job, 'The payout was refused by the contract.'))
}
