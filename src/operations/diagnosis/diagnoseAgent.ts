import { z } from 'zod'
import { toRoughUsdc } from '../../domain/money/money.ts'
import {
  checkListed,
  checkPlace,
  checkSchemas,
  type Finding,
  finding,
  ok,
  warning,
  wrong,
} from '../../domain/offerings/diagnosis.ts'
import { isListed, type Listing } from '../../domain/offerings/offering.ts'
import { fullBudget } from '../../domain/schemas/schema.ts'
import { toQuotable } from '../../domain/text/quotableText.ts'
import type { Agent } from '../../ports.ts'
import { readReputations } from '../agents/reputations.ts'
import { ownAgent } from '../agents/resolveAgent.ts'
import { findListings } from '../market/findListings.ts'
import { type Caller, type Deps, operation } from '../operation.ts'
import { checkReach } from './checkReach.ts'

/** Maximum number of offerings whose schemas and search positions are checked, of at most a hundred. */
const maxChecked = 10
/** Number of search results in which an offering should appear. */
const places = 20
const quotedChars = 80

type Own = Agent & { id: string }

export const diagnoseAgent = operation({
  name: 'diagnoseAgent',
  summary: 'Why one of your agents is not found, not called or not paid: each check with its result, and what to do.',
  scope: 'look',
  input: z.object({ agent: z.string().max(200) }),
  output: z.object({ agent_id: z.string(), handle: z.string(), healthy: z.boolean(), findings: z.array(finding) }),

  async run({ agent: text }, deps, caller) {
    caller.charge?.(diagnosisWorkMs)
    const agent = await ownAgent(deps, text, caller)
    const findings = await diagnose(agent, deps, caller)
    return { agent_id: agent.id, handle: agent.handle, healthy: findings.every(it => it.level !== 'wrong'), findings }
  },
})

export const diagnose = async (agent: Own, deps: Deps, caller: Caller): Promise<Finding[]> => {
  const offerings = await deps.store.offerings(agent.id)
  const listed = offerings.filter(isListed).slice(0, maxChecked)
  const budget = fullBudget()
  return [
    ...(await checkRecord(agent, deps)),
    checkListed(offerings),
    ...offerings.slice(0, maxChecked).map(it => checkSchemas(it, budget)),
    ...(await Promise.all(listed.map(it => checkFound(it, deps)))),
    ...(await checkReach(agent, deps, caller)),
    ...(await checkWork(agent, offerings, deps)),
    ...(await checkOthers(agent, deps)),
  ]
}

/** Event loop time charged for a diagnosis, in ms, because it searches for each offering. */
export const diagnosisWorkMs = 100

const checkRecord = async (agent: Own, { store, chains }: Deps): Promise<Finding[]> => {
  const isRetired = await store.isRetired(agent.key)
  const isUnverified = (await store.unverifiedAgents([agent.key])).length > 0
  return [
    isRetired
      ? wrong('registered', 'The agent is retired.', 'Register it again to bring it back.')
      : ok('registered', `Registered as ${agent.id}.`),
    chains.has(agent.chainId)
      ? ok('chain', `Chain ${agent.chainId} is served.`)
      : wrong('chain', `Chain ${agent.chainId} is not served now.`, 'Wait, or register the agent on a chain that is served.'),
    isUnverified
      ? warning('verified', 'The agent was registered with a bare signature.', 'Register it again with a token to confirm it.')
      : ok('verified', 'Its owner has confirmed the registration.'),
  ]
}

const checkOthers = async ({ id }: Own, deps: Deps): Promise<Finding[]> => {
  const found = await Promise.all((deps.otherJobs ?? []).map(it => it.diagnose?.(id, deps)))
  return found.flatMap(it => it ?? [])
}

const checkFound = async (it: Listing, deps: Deps): Promise<Finding> => {
  const text = it.examples?.[0] ?? it.name
  const want = { text, chainId: it.chainId, maxPrice: undefined, agent: undefined, limit: places }
  const at = (await findListings(deps, want)).findIndex(hit => hit.listing.agentId === it.agentId && hit.listing.id === it.id)
  return checkPlace(it.id, toQuotable(text, quotedChars), at < 0 ? undefined : at + 1)
}

const checkWork = async (agent: Own, offerings: Listing[], deps: Deps): Promise<Finding[]> => {
  const { median_turnaround_s, judged, accepted } = (await readReputations(deps, [agent.id]))(agent.id)
  const promisedS = Math.min(...offerings.map(it => it.slaMinutes * 60))
  const isLate = median_turnaround_s !== undefined && median_turnaround_s > promisedS
  const isRefused = judged > 2 && accepted * 2 < judged
  const chain = deps.chains.get(agent.chainId)
  const held = chain ? await chain.usdcBalance(agent.wallet) : 0n
  const whole = chain ? toRoughUsdc(held, chain.usdcDecimals) : 0
  return [
    isLate
      ? wrong(
          'speed',
          `Half of its jobs take more than ${median_turnaround_s} s; it promises ${promisedS} s.`,
          'Increase sla_minutes of its offerings.',
        )
      : ok(
          'speed',
          median_turnaround_s === undefined
            ? 'No job has been delivered yet.'
            : `Half of its jobs take at most ${median_turnaround_s} s.`,
        ),
    isRefused
      ? warning('accepted', `${accepted} of ${judged} jobs were accepted.`, 'Look at the verdicts with: market agent jobs')
      : ok('accepted', `${accepted} of ${judged} jobs were accepted.`),
    ok('wallet', `${whole} USDC are in the agent wallet ${agent.wallet}.`),
  ]
}
