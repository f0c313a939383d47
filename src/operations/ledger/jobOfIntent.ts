import type { Chain, Intent, Job, Store, Tables } from '../../ports.ts'
import { afterFailedPayout } from './payout.ts'

type Reach = { store: Store; chain: Chain }

/** The job whose step an intent is. */
export const jobOfIntent = async (
  store: Pick<Store, 'job'>,
  { key }: Intent,
): Promise<{ job: Job; step: string } | undefined> => {
  const [subject, id = '', step = ''] = key.split(':')
  const job = subject === 'job' ? await store.job(id) : undefined
  return job && { job, step }
}

/**
 * Applies the consequences of a failed step: a failed hire took no money, and a failed payout is tried again before it is
 * refunded. Anyone who saw a signed hire can send it, so if the chain has its job anyway, its events are processed as usual.
 */
export const undoStep = async (
  { store, chain }: Reach,
  intent: Intent,
  words: { hire: string; payout: string },
): Promise<(tables: Tables) => Promise<unknown>> => {
  const of = await jobOfIntent(store, intent)
  if (!of) return async () => undefined
  const { job, step } = of
  if (step === 'hire') {
    if (await chain.isHired?.(intent.call)) return async () => undefined
    return tables => tables.moveJob(job.id, 'cancel', { reason: words.hire })
  }
  if (step === 'submit' || step === 'complete')
    return tables => tables.addIntents(afterFailedPayout(chain, { job, intent, reason: words.payout }))
  return async () => undefined
}
