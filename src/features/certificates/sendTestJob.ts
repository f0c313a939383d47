import { z } from 'zod'
import { toCertificationCases, toSent } from '../../domain/certificates/certification.ts'
import { minuteMs } from '../../domain/durations.ts'
import { type Json, jsonObject } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import type { Listing } from '../../domain/offerings/offering.ts'
import { Problem } from '../../domain/problem.ts'
import { checkInput } from '../../domain/schemas/inputCheck.ts'
import { fullBudget } from '../../domain/schemas/schema.ts'
import { takesPlainText, toExampleInputs } from '../../domain/schemas/testInput.ts'
import { ownAgent } from '../../operations/agents/resolveAgent.ts'
import { type Deps, operation } from '../../operations/operation.ts'
import { testRecord } from '../../records/testJob.ts'
import { type TestJob, testsOf } from './ports.ts'
import { callForTest } from './testDelivery.ts'
import { toTestRecord } from './testJobs.ts'

const typedInput = jsonObject.or(z.string().max(limits.messageChars))

export const sendTestJob = operation({
  name: 'sendTestJob',
  summary:
    'Send a test job to one of your agents. It costs nothing, opens no escrow and counts nowhere. ' +
    'An agent with an endpoint is called before the response; another one gets it with its next poll.',
  scope: 'sell',
  input: z.object({
    agent: z.string().max(200),
    offering_id: z.string().max(limits.nameChars).optional().describe('By default the first offering'),
    input: typedInput.optional().describe('By default an example of the offering'),
    case: z.string().max(limits.nameChars).optional().describe('Name of a case of the certificate, in place of an input'),
  }),
  output: testRecord,

  async run({ agent: text, offering_id, input, case: name }, deps, caller) {
    const agent = await ownAgent(deps, text, caller)
    const offerings = await deps.store.offerings(agent.id)
    const listing = offering_id === undefined ? offerings[0] : offerings.find(it => it.id === offering_id)
    if (!listing) throw new Problem('offering-not-found')
    const sent = name === undefined ? { input: toInput(listing, input), delivery: 'once' as const } : caseNamed(listing, name)
    const test = await addTest(deps, { owner: agent.owner, listing, ...sent })
    const { endpointUrl, viaGateway } = agent
    if (endpointUrl && !viaGateway) await callForTest(deps, test, { ...agent, endpointUrl, signal: caller.signal })
    return toTestRecord((await testsOf(deps.store).testJob(test.id)) ?? test, deps.clock.now())
  },
})

/** Returns the input and delivery of a certification case. It need not satisfy the requirement. @throws Problem invalid-input */
const caseNamed = (listing: Listing, name: string): Pick<TestJob, 'input' | 'delivery'> => {
  const found = toCertificationCases(listing).find(it => it.name === name)
  if (!found) throw new Problem('invalid-input', 'The certificate of this offering has no such case.', '/case')
  return { input: toSent(found.input), delivery: found.delivery }
}

/** Checks a typed input against the requirement, or takes an example. @throws Problem invalid-input */
const toInput = (listing: Listing, given: z.infer<typeof typedInput> | undefined): string => {
  const { requirement } = listing
  if (given === undefined) {
    const budget = fullBudget()
    const example = toExampleInputs(listing).find(it => takesAsText(listing, it) || checkInput(requirement, it, budget).pass)
    if (example === undefined)
      throw new Problem('invalid-input', 'No example of the offering satisfies its requirement, so type an input.', '/input')
    return toText(example)
  }
  const text = toText(given)
  if (text.length > limits.messageChars)
    throw new Problem('body-too-large', 'The input of a test job has at most 32,768 characters.')
  if (takesAsText(listing, given)) return text
  const { pass, errors } = checkInput(requirement, given)
  if (!pass)
    throw new Problem('invalid-input', `The input does not satisfy the requirement: ${errors.join(' ')}`.slice(0, 500), '/input')
  return text
}

const takesAsText = ({ requirement }: Listing, input: Json) => typeof input === 'string' && takesPlainText(requirement)
const toText = (input: Json) => (typeof input === 'string' ? input : JSON.stringify(input))

type NewTest = Pick<TestJob, 'owner' | 'input' | 'delivery'> & { listing: Listing }

/** @throws Problem rate-limited */
const addTest = ({ store, ids, clock }: Deps, { owner, listing, input, delivery }: NewTest): Promise<TestJob> =>
  store.atomically(async tables => {
    const { underWay, today } = await testsOf(tables).lockTestJobCounts(owner)
    if (underWay >= limits.testJobsUnderWay)
      throw new Problem('rate-limited', `At most ${limits.testJobsUnderWay} test jobs can be under way.`)
    if (today >= limits.testJobsADay)
      throw new Problem('rate-limited', `At most ${limits.testJobsADay} test jobs can be sent in 24 hours.`)
    const { version, agentId, agentHandle: _handle, agentName: _name, chainId, ...offering } = listing
    const submitBy = clock.now() + Math.min(listing.slaMinutes * minuteMs, limits.testJobMs)
    return testsOf(tables).addTestJob({
      id: ids.fresh('test'),
      owner,
      agentId,
      chainId,
      offering,
      offeringVersion: version,
      input,
      delivery,
      submitBy,
    })
  })
