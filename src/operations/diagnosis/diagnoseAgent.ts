import { z } from 'zod'
import { isCardOf } from '../../domain/agents/agentCard.ts'
import { hourMs, minuteMs, toIso } from '../../domain/durations.ts'
import { toRoughUsdc } from '../../domain/money/money.ts'
import { checkEndpoint } from '../../domain/net/publicAddress.ts'
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
import { asProblem } from '../../domain/problem.ts'
import { fullBudget } from '../../domain/schemas/schema.ts'
import { toQuotable } from '../../domain/text/quotableText.ts'
import type { Agent } from '../../ports.ts'
import { describeLiveness, readReputations } from '../agents/reputations.ts'
import { ownAgent } from '../agents/resolveAgent.ts'
import { readCard } from '../gateway/callAgent.ts'
import { findListings } from '../market/findListings.ts'
import { type Caller, type Deps, operation } from '../operation.ts'

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

/** A process that has not polled for this long (ms) counts as stopped. */
const recentMs = 2 * minuteMs

/** Checks whether jobs reach the agent, by polling or at its endpoint, and whether only one process serves it. */
const checkReach = async (agent: Own, deps: Deps, { signal }: Pick<Caller, 'signal'>): Promise<Finding[]> => [
  ...(agent.viaGateway || !agent.endpointUrl ? [await checkPolls(agent, deps)] : []),
  ...(agent.endpointUrl ? await checkAddress({ ...agent, endpointUrl: agent.endpointUrl }, deps, signal) : []),
  checkPollers(agent, deps),
  await checkMode(agent, deps),
]

const checkPolls = async (agent: Own, deps: Deps): Promise<Finding> => {
  const { last_seen } = deps.gateway.presence.tell(agent.id)
  const remedy = 'Start it with: market agent serve, or market agent wrap.'
  if (!last_seen) return wrong('polls', `It does not poll: it ${await describeLiveness(deps, agent.id)}.`, remedy)
  if (deps.clock.now() - Date.parse(last_seen) > recentMs) return wrong('polls', `It stopped polling at ${last_seen}.`, remedy)
  return ok('polls', `It last polled at ${last_seen}.`)
}

const checkAddress = async (agent: Own & { endpointUrl: string }, deps: Deps, signal: Caller['signal']): Promise<Finding[]> => {
  const pushed = deps.gateway.pushes.get(agent.id)
  const last = pushed?.error
    ? wrong('push', `The last call at ${toIso(pushed.at)} failed: ${pushed.error}`, 'Fix the error of that call.')
    : ok('push', pushed ? 'The last call succeeded.' : 'No job has been sent to its endpoint yet.')
  return [await checkCard(agent, deps, signal), last]
}

const checkCard = async (agent: Own & { endpointUrl: string }, deps: Deps, signal: Caller['signal']): Promise<Finding> => {
  const { endpointUrl: endpoint } = agent
  try {
    checkEndpoint(endpoint, deps.settings)
    const card = await readCard({ dialer: deps.gateway.dialer, endpoint, signal })
    const remedy = 'Serve the card of this agent below endpoint_url, at /.well-known/agent-card.json.'
    if (!card) return wrong('card', `${endpoint} serves no agent card.`, remedy)
    if (!isCardOf(card, agent)) return wrong('card', `${endpoint} serves the card of another agent.`, remedy)
    return ok('card', `${endpoint} serves its card.`)
  } catch (error) {
    return wrong('card', `${endpoint} cannot be reached: ${asProblem(error).detail}`, 'Start the agent, or change endpoint_url.')
  }
}

const checkPollers = (agent: Own, { gateway, clock }: Deps): Finding => {
  const contestedAt = gateway.pollers.contestedAt(agent.id)
  if (contestedAt === undefined || clock.now() - contestedAt > hourMs) return ok('pollers', 'One process polls for it.')
  const words = `Two processes polled for it at ${toIso(contestedAt)}.`
  return wrong('pollers', words, 'Stop one of them, and let the other send your token or the secret of the agent.')
}

const checkMode = async (agent: Own, { gateway }: Deps): Promise<Finding> => {
  const { isStrict } = await gateway.access.find(agent.id)
  if (isStrict) return ok('credential', 'Polling for it needs your token or its secret.')
  return warning(
    'credential',
    'Anybody may poll for it.',
    'Poll with your token or its secret, or set the gateway mode to strict.',
  )
}
