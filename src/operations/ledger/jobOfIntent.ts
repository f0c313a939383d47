import type { Chain, Intent, Job, Store, Tables } from '../../ports.ts'
import { refundIntent } from './payout.ts'

type Reach = { store: Store; chain: Chain }

/** The job that an intent is a step of. */
export const jobOfIntent = async (
  store: Pick<Store, 'job'>,
  { key }: Intent,
): Promise<{ job: Job; step: string } | undefined> => {
  const [subject, id = '', step = ''] = key.split(':')
  const job = subject === 'job' ? await store.job(id) : undefined
  return job && { job, step }
}

/**
 * What follows for a job whose step will not happen: a hire that failed never took money, a payout that failed leaves money to
 * return. A signed hire can be sent by anyone who saw it: when the chain holds its job all the same, its events tell the rest.
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
  if (step === 'submit' || step === 'complete') return tables => tables.addIntents(refundIntent(chain, job, words.payout))
  return async () => undefined
}
