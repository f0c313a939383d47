import { minuteMs } from '../../domain/durations.ts'
import { isListed, type Listing } from '../../domain/offerings/offering.ts'
import { takesPlainText } from '../../domain/schemas/plainInput.ts'
import { checkValue } from '../../domain/schemas/schema.ts'
import { choose } from '../../language/choice/choose.ts'
import { fillSaid } from '../../language/filling/fillSaid.ts'
import { readTasks } from '../../language/tasks/readTasks.ts'
import type { ListedService } from '../../ports.ts'
import type { Deps } from '../operation.ts'
import { findListings } from './findListings.ts'

/** Longer examples are no suggestions: a reader takes them in at a glance. */
const maxChars = 90
/** Examples of one offering that are tried. */
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
export const works = (deps: Deps, { agentId, id, chainId }: ListedService, text: string): Promise<boolean> => {
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
export const suggestionOf = async (deps: Deps, service: ListedService): Promise<string | undefined> => {
  for (const text of (service.examples ?? []).slice(0, maxExamples))
    if (text.length <= maxChars && (await works(deps, service, text))) return text
  return undefined
}
