import { isCardOf } from '../../domain/agents/agentCard.ts'
import { minuteMs } from '../../domain/durations.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import type { Clock, Dialer, DirectCalls, DirectTarget } from '../../ports.ts'
import { createBounded } from './bounded.ts'
import { readCard } from './callAgent.ts'

/** Cache time of an agent card in ms. */
const rememberMs = 10 * minuteMs

/**
 * Limits calls that users cause at endpoints registered by others: per host, per owner and in total. An endpoint is called only
 * when it serves the agent's card. Otherwise anyone could make the service send requests to a third party.
 */
export const createDirectCalls = ({ dialer, clock }: { dialer: Dialer; clock: Clock }): DirectCalls => {
  const underWay = new Map<string, number>()
  const checked = createBounded<number>(limits.presences)

  const enter = ({ endpointUrl, owner }: DirectTarget): (() => void) => {
    const bounds: [key: string, most: number][] = [
      [`host ${new URL(endpointUrl).hostname}`, limits.directCallsOfHost],
      [`owner ${owner}`, limits.directCallsOfOwner],
      ['all', limits.directCalls],
    ]
    if (bounds.some(([key, most]) => (underWay.get(key) ?? 0) >= most))
      throw new Problem('rate-limited', 'Too many calls of this agent are in progress.')
    for (const [key] of bounds) underWay.set(key, (underWay.get(key) ?? 0) + 1)
    return () => {
      for (const [key] of bounds) {
        const left = (underWay.get(key) ?? 0) - 1
        if (left > 0) underWay.set(key, left)
        else underWay.delete(key)
      }
    }
  }

  const checkCard = async (target: DirectTarget, signal: AbortSignal | undefined) => {
    const key = `${target.id} ${target.endpointUrl}`
    if ((checked.get(key) ?? 0) > clock.now()) return
    const card = await readCard({ dialer, endpoint: target.endpointUrl, signal })
    if (!card || !isCardOf(card, target))
      throw new Problem('endpoint-not-allowed', 'The agent card at this address does not name the agent.')
    checked.set(key, clock.now() + rememberMs)
  }

  return {
    async call(target, signal, work) {
      const leave = enter(target)
      try {
        await checkCard(target, signal)
        return await work()
      } finally {
        leave()
      }
    },
  }
}
