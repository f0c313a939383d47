import { validationKeys } from '../../domain/jobs/validation.ts'
import { reportTransaction } from '../../operations/ledger/bookings.ts'
import type { Follower, Intent, Tables } from '../../ports.ts'
import { decideValidation } from './decideValidation.ts'
import { validationsOf } from './ports.ts'

const steps = ['validation-request', 'validation-response'] as const

const stepOf = ({ key }: Intent) => {
  const [subject, jobId = '', step] = key.split(':')
  const known = subject === 'job' ? steps.find(it => it === step) : undefined
  return known && { jobId, step: known }
}

/** Decides validations with the rating of their jobs, and follows their transactions. A validation has no events. */
export const followValidations: Follower = {
  afterRating(job, place) {
    const decided = decideValidation(job, place)
    return decided && { write: tables => validationsOf(tables).addValidation(decided.validation), intents: decided.intents }
  },

  /** The response is given again after a refusal, and once a request is mined that a reorganisation had removed. */
  async consequenceOf({ store }, intent, mined) {
    const of = stepOf(intent)
    if (!of) return undefined
    const { jobId, step } = of
    const job = await store.job(jobId)
    const mayRespond = (step === 'validation-request') === (mined?.success ?? false)
    return async tables => {
      if (job && mined && !mined.success) await reportTransaction(tables, job, { step, ...mined })
      if (mayRespond) await respondAgain(tables, jobId)
    }
  },
}

/**
 * Responds to a validation again, when the registry has the request and every earlier response failed. A reorganisation can
 * mine a response before its request, and the registry then refuses it. A second response of the same value changes nothing
 * there.
 */
const respondAgain = async (tables: Tables, jobId: string): Promise<void> => {
  const { request, responses } = validationKeys(jobId)
  const [asked] = await tables.intentsOf([request])
  const tried = await tables.intentsOf(responses)
  const key = responses[tried.length]
  const [first] = tried
  if (asked?.state !== 'confirmed' || !first || !key || tried.some(it => it.state !== 'reverted')) return
  const { chainId, sender, call } = first
  await tables.addIntents([{ key, chainId, sender, call, after: request }])
}
