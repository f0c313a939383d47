import { z } from 'zod'
import { minuteMs } from '../../domain/durations.ts'
import { limits } from '../../domain/limits.ts'
import { isListed, type Listing } from '../../domain/offerings/offering.ts'
import { checkValue } from '../../domain/schemas/schema.ts'
import { takesPlainText } from '../../domain/schemas/testInput.ts'
import { choose } from '../../language/choice/choose.ts'
import { fillSaid } from '../../language/filling/fillSaid.ts'
import { readTasks } from '../../language/tasks/readTasks.ts'
import type { ListedService } from '../../ports.ts'
import { suggestionsRecord } from '../../records/market/suggestion.ts'
import { toShownWork } from '../agents/agentRecord.ts'
import { readReputations } from '../agents/reputations.ts'
import { type Deps, operation } from '../operation.ts'
import { renamed } from '../renamed.ts'
import { blockedOf, findListings } from './findListings.ts'

/** Maximum number of offerings whose examples are tried for one answer. */
const mostOffered = 48

export const listSuggestions = operation({
  name: 'listSuggestions',
  summary: 'Example requests of agents that are online. Each leads to a proposal without a question; at most one per agent.',
  caller: 'anyone',
  input: z.object({
    chain_id: z.coerce.number().int().optional(),
    limit: z.coerce.number().int().min(1).max(12).default(4),
  }),
  output: suggestionsRecord,

  async run({ chain_id, limit }, deps, { wallet }) {
    const agentIds = deps.gateway.presence.healthy().slice(0, limits.filteredAgents)
    const of = { ...(chain_id !== undefined && { chainId: chain_id }), agentIds }
    const services = await deps.store.listed({ ...of, order: 'sample', limit: mostOffered, offset: 0 })
    const blocked = await blockedOf(deps, wallet)
    const found = new Map<string, { text: string; service: (typeof services)[number] }>()
    for (const service of services) {
      if (found.size >= limit) break
      const isOut = found.has(service.agentId) || blocked.has(service.agentId)
      const text = isOut ? undefined : await suggestionOf(deps, service)
      if (text !== undefined) found.set(service.agentId, { text, service })
    }
    const reputationOf = await readReputations(deps, [...found.keys()])
    const suggestions = [...found.values()].map(({ text, service: it }) => {
      const { median_turnaround_s: usual } = reputationOf(it.agentId)
      return {
        text,
        ...renamed(it, ['agentId', 'agentHandle', 'name', 'price']),
        offering_id: it.id,
        ...(usual !== undefined && { usual_seconds: usual }),
        ...toShownWork(it),
      }
    })
    return { suggestions }
  },
})

/** Longer examples are no suggestions: a reader takes them in at a glance. */
const maxChars = 90
const maxExamples = 3
/** Number of listings that a trial chooses among. */
const candidates = 24
/** A trial holds for this long, because new offerings can change what the butler chooses. */
const triedMs = 10 * minuteMs
/** Maximum number of trials kept. */
const maxTried = 1_000

type Trial = { until: number; works: Promise<boolean> }

/** Trials of this process, by its store. */
const trialsOf = new WeakMap<object, Map<string, Trial>>()

/**
 * Whether an example of an offering leads to a proposal of that offering without a question. The request is read by the same
 * rules as a user's message; nothing is stored or hired.
 */
const works = (deps: Deps, { agentId, id, chainId }: ListedService, text: string): Promise<boolean> => {
  const trials = trialsOf.get(deps.store) ?? new Map<string, Trial>()
  trialsOf.set(deps.store, trials)
  const key = JSON.stringify([agentId, id, text])
  const known = trials.get(key)
  if (known && known.until > deps.clock.now()) return known.works
  const [oldest] = trials.keys()
  if (trials.size >= maxTried && oldest !== undefined) trials.delete(oldest)
  const trial = tryOut(deps, { agentId, id, chainId }, text)
  trials.set(key, { until: deps.clock.now() + triedMs, works: trial })
  trial.catch(() => trials.delete(key))
  return trial
}

const tryOut = async (deps: Deps, of: Pick<Listing, 'agentId' | 'id' | 'chainId'>, text: string): Promise<boolean> => {
  const { agentId, id, chainId } = of
  if (readTasks(text).length > 1) return false
  const wanted = { text, chainId, maxPrice: undefined, agent: undefined, limit: candidates }
  const found = await findListings(deps, wanted)
  const { decision, picks } = choose({ task: text, listings: found.map(({ listing, ...it }) => ({ ...listing, ...it })) })
  const chosen = decision === 'propose' ? found[picks[0] ?? -1]?.listing : undefined
  if (chosen?.agentId !== agentId || chosen.id !== id || !isListed(chosen)) return false
  return isFilled(chosen, text, deps.clock.now())
}

const isFilled = ({ requirement, name, description }: Listing, text: string, now: number): boolean => {
  const values = fillSaid({ said: [text], requirement, listing: `${name}\n${description}`, now })
  return takesPlainText(requirement) ? typeof values.text === 'string' : checkValue(requirement, values).pass
}

/** The first example of an offering that works; undefined when none does. */
const suggestionOf = async (deps: Deps, service: ListedService): Promise<string | undefined> => {
  for (const text of (service.examples ?? []).slice(0, maxExamples))
    if (text.length <= maxChars && (await works(deps, service, text))) return text
  return undefined
}
