import { parseAgentId } from '../../domain/agents/agentId.ts'
import { toCaip2 } from '../../domain/chains/chains.ts'
import { toIso } from '../../domain/durations.ts'
import { responseOf, validationKeys } from '../../domain/jobs/validation.ts'
import { canonical } from '../../domain/json.ts'
import type { Chain, Job, NewIntent, Validation } from '../../ports.ts'

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
export const decideValidation = (job: Job, { chain, publicUrl, salt }: Place): Decided | undefined => {
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
