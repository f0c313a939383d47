import { isCardOf } from '../../domain/agents/agentCard.ts'
import { hourMs, minuteMs, toIso } from '../../domain/durations.ts'
import { checkEndpoint } from '../../domain/net/publicAddress.ts'
import { type Finding, ok, warning, wrong } from '../../domain/offerings/diagnosis.ts'
import { asProblem } from '../../domain/problem.ts'
import type { Agent } from '../../ports.ts'
import { describeLiveness } from '../agents/reputations.ts'
import { readCard } from '../gateway/callAgent.ts'
import type { Caller, Deps } from '../operation.ts'

type Own = Agent & { id: string }

/** A process that has not polled for this long (ms) counts as stopped. */
const recentMs = 2 * minuteMs

/** Checks whether jobs reach the agent, by polling or at its endpoint, and whether only one process serves it. */
export const checkReach = async (agent: Own, deps: Deps, { signal }: Pick<Caller, 'signal'>): Promise<Finding[]> => [
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
