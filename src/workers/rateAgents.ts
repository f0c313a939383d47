import { rate } from '../domain/agents/reputation.ts'
import { secondMs } from '../domain/durations.ts'
import type { Clock, Store } from '../ports.ts'
import type { Worker } from './loop.ts'

const atOnce = 100
/** Lists are sorted by scores, which may be a moment old: one step serves all judgements of that time. */
const restMs = 5 * secondMs

type RateDeps = { store: Pick<Store, 'dueRatings' | 'keepRatings'>; clock: Clock }

/** Computes the scores of agents whose judgements changed, and of each agent once a day, as if all agents were seen now. */
export const rateAgents = ({ store, clock }: RateDeps): Worker => ({
  name: 'rateAgents',
  channel: 'ratings',
  idleMs: 10 * secondMs,
  restMs,
  async runOnce() {
    const due = await store.dueRatings(atOnce)
    const now = clock.now()
    const ratings = due.map(({ agentId, due: counted, rows }) => {
      const { reputation } = rate({ judgements: rows, medianTurnaroundMs: undefined, lastSeenAt: now }, now)
      return { agentId, due: counted, topScore: reputation.score }
    })
    if (ratings.length > 0) await store.keepRatings(ratings)
    return due.length === atOnce
  },
})
