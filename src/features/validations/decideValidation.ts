import { parseAgentId } from '../../domain/agents/agentId.ts'
import { toCaip2 } from '../../domain/chains/chains.ts'
import { toIso } from '../../domain/durations.ts'
import { responseOf, validationKeys } from '../../domain/jobs/validation.ts'
import { canonical } from '../../domain/json.ts'
import { reportTransaction } from '../../operations/ledger/bookings.ts'
import type { Chain, Follower, Intent, Job, NewIntent, Tables, Validation } from '../../ports.ts'
import { validationsOf } from './ports.ts'

/** URL of the request file of a validation, which the registry names. */
export const validationUri = (publicUrl: string, jobId: string): string => `${publicUrl}/jobs/${jobId}/validation.json`

type Place = { chain: Chain; publicUrl: string; salt: string }
type Decided = { validation: Omit<Validation, 'createdAt'>; intents: NewIntent[] }

/**
 * The validation of an ended job whose offering asks for one: the agent's wallet requests it, then the evaluator responds with
 * its verdict. Undefined when nothing was judged, or where there is no validation registry.
 * @param salt unpredictable, so that nobody takes the hash of the request in the registry first, such as an agent that fears its
 * verdict
 */
const decideValidation = (job: Job, { chain, publicUrl, salt }: Place): Decided | undefined => {
  const { id, agentId, agentWallet, chainId, offering, outcome, deliverable } = job
  const { validations } = chain
  const agentNumber = parseAgentId(agentId)?.number
  const response = responseOf(outcome)
  if (!offering.validation || !validations || agentNumber === undefined || response === undefined) return undefined
  if (deliverable === undefined) return undefined
  const hash = validations.hash
  const file = toRequestFile(job, {
    chain,
    deliverableHash: hash(deliverable),
    schemaHash: hash(canonical(offering.deliverable)),
    salt,
  })
  const requestHash = hash(file)
  const request = validations.request({ agentNumber, uri: validationUri(publicUrl, id), requestHash })
  const {
    request: asking,
    responses: [responding = ''],
  } = validationKeys(id)
  return {
    validation: { jobId: id, agentId, agentWallet, requestHash, response, file },
    intents: [
      { key: asking, chainId, sender: agentWallet, call: request, after: undefined },
      {
        key: responding,
        chainId,
        sender: chain.evaluator,
        after: asking,
        call: validations.respond({ requestHash, response }),
      },
    ],
  }
}

/**
 * The request file. It must never change, because the registry has its hash. It names the deliverable and its schema by their
 * hashes alone, because both belong to buyer and agent.
 */
const toRequestFile = (
  { id, chainId, agentId, offering, updatedAt }: Job,
  { chain, ...hashes }: { chain: Chain; deliverableHash: string; schemaHash: string; salt: string },
): string => {
  const network = toCaip2(chainId)
  return JSON.stringify({
    agentRegistry: `${network}:${chain.addresses.registry}`,
    agentId: Number(parseAgentId(agentId)?.number ?? 0n),
    validatorAddress: `${network}:${chain.evaluator}`,
    escrow: `${network}:${chain.addresses.escrow}`,
    jobId: id,
    offeringId: offering.id,
    ...hashes,
    createdAt: toIso(updatedAt),
  })
}

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
