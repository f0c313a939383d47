import { z } from 'zod'
import {
  type CaseResult,
  type CertificationTest,
  certificateMs,
  certificationMs,
  isCertified,
  resultsOf,
  toCertificationCases,
  toSent,
} from '../../domain/certificates/certification.ts'
import { toIso } from '../../domain/durations.ts'
import { limits } from '../../domain/limits.ts'
import type { Listing } from '../../domain/offerings/offering.ts'
import { Problem } from '../../domain/problem.ts'
import { toCertificateRecord } from '../../operations/agents/agentRecord.ts'
import { ownAgent } from '../../operations/agents/resolveAgent.ts'
import { diagnose, diagnosisWorkMs } from '../../operations/diagnosis/diagnoseAgent.ts'
import { chainOf, type Deps, operation } from '../../operations/operation.ts'
import type { Certificate } from '../../ports.ts'
import { type CaseRecord, certificationRecord } from '../../records/certificate.ts'
import { testsOf } from './ports.ts'
import { testStateOf } from './testDelivery.ts'

const shownInputChars = 2_000
const toCaseRecord = ({ input, ...it }: CaseResult): CaseRecord => ({
  ...it,
  ...(toSent(input).length <= shownInputChars && { input }),
})

export const certifyOffering = operation({
  name: 'certifyOffering',
  summary:
    'Certify an offering of one of your agents. The agent must have no fault in its diagnosis, ' +
    'and its test jobs of the last hour must have passed each case; ' +
    'otherwise the answer names the cases to send as test jobs.',
  scope: 'sell',
  input: z.object({
    agent: z.string().max(200),
    offering_id: z.string().max(limits.nameChars).optional().describe('By default the first offering'),
  }),
  output: certificationRecord,

  async run({ agent: text, offering_id }, deps, caller) {
    caller.charge?.(diagnosisWorkMs)
    const agent = await ownAgent(deps, text, caller)
    const offerings = await deps.store.offerings(agent.id)
    const listing = offering_id === undefined ? offerings[0] : offerings.find(it => it.id === offering_id)
    if (!listing) throw new Problem('offering-not-found')
    const cases = toCertificationCases(listing)
    if (cases.length === 0)
      throw new Problem(
        'invalid-input',
        'No example of the offering satisfies its requirement in few enough steps, so nothing can be tested.',
      )
    const results = resultsOf(cases, await readTests(listing, deps))
    const findings = (await diagnose(agent, deps, caller)).filter(it => it.level === 'wrong')
    const certified = isCertified(results) && findings.length === 0
    const certificate = certified ? await issue(listing, results, deps) : undefined
    return {
      agent_id: agent.id,
      offering_id: listing.id,
      certified,
      ...(certificate && { certificate: toCertificateRecord(certificate) }),
      cases: results.map(toCaseRecord),
      findings,
    }
  },
})

const readTests = async (
  { agentId, id, version }: Listing,
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
): Promise<CertificationTest[]> => {
  const tests = await testsOf(store).testJobsSince(agentId, clock.now() - certificationMs)
  return tests
    .filter(it => it.offering.id === id && it.offeringVersion === version)
    .flatMap(it => {
      const state = testStateOf(it, clock.now())
      const { input, delivery, failure } = it
      return state === 'queued' || state === 'leased' ? [] : { input, delivery, state, hasReason: failure !== '' }
    })
}

/** @throws Problem method-not-offered where wallets cannot sign */
const issue = async ({ agentId, chainId, id, version }: Listing, results: CaseResult[], deps: Deps): Promise<Certificate> => {
  const { store, clock, wallets } = deps
  if (!wallets.signText) throw new Problem('method-not-offered')
  const signer = chainOf(deps, chainId).evaluator
  const [issuedAt, expiresAt] = [clock.now(), clock.now() + certificateMs]
  const text = JSON.stringify({
    type: 'agent-marketplace certificate',
    agent_id: agentId,
    offering_id: id,
    offering_version: version,
    cases: results.length,
    refused: results.filter(it => it.result === 'refused').length,
    issued_at: toIso(issuedAt),
    expires_at: toIso(expiresAt),
  })
  const signature = await wallets.signText(signer, text)
  const certificate = { agentId, offeringId: id, offeringVersion: version, cases: results.length, signer, text, signature }
  await testsOf(store).putCertificate({ ...certificate, issuedAt, expiresAt })
  return { ...certificate, issuedAt, expiresAt }
}
