import { type Fault, faultTable, type Site } from './faultTable.ts'
import type { Random } from './random.ts'
import { currentTask } from './tasks.ts'

/** Assigns faults to calls, and counts all faults. */
export type Faults = {
  /** Share of calls with a fault. */
  rate: number
  deal(site: Site): Fault | undefined
  /** Whether the process has just restarted. */
  isRecovering(): boolean
  /** Whether faults of this kind occur in the scenario. */
  has(kind: number): boolean
  /** Counts a fault that an actor or the environment caused. */
  note(kind: number, what: string): void
  counts: Map<number, number>
  places: Set<string>
}

type Given = { random: Random; enabled: ReadonlySet<number>; told(line: string): void }

export const createFaults = ({ random, enabled, told }: Given): Faults => {
  const fitting = new Map<string, Fault[]>()
  const counts = new Map<number, number>()
  const places = new Set<string>()

  const fittingAt = (site: Site): Fault[] => {
    const task = currentTask()
    const key = `${site.port}.${site.name}.${task?.kind}`
    const known = fitting.get(key)
    if (known) return known
    const found = faultTable.filter(it => enabled.has(it.kind) && it.at(site, task))
    fitting.set(key, found)
    return found
  }

  const count = (kind: number, place: string) => {
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    places.add(`${kind}@${place}`)
  }

  const faults: Faults = {
    rate: 0,
    isRecovering: () => false,
    deal(site) {
      if (faults.rate === 0 || !random.chance(Math.min(maxRate, faults.rate * eagerness(site)))) return undefined
      const choices = fittingAt(site)
      if (choices.length === 0) return undefined
      const fault = random.weighted(choices)
      const task = currentTask()
      if (task) task.faults += 1
      const kind = isDeath(fault) && faults.isRecovering() ? killedAgain : fault.kind
      count(kind, `${site.port}.${site.name}`)
      told(`  fault ${kind} ${describe(fault)} at ${site.port}.${site.name} in ${task?.name ?? 'nobody'}`)
      return fault
    },
    has: kind => enabled.has(kind),
    note(kind, what) {
      count(kind, what)
      told(`  fault ${kind} ${what}`)
    },
    counts,
    places,
  }
  return faults
}

/** The maximum rate, so that a call can also succeed. */
const maxRate = 0.4
/**
 * Weight of a call. Calls of external systems are rarer than those of the database, so each gets more faults, as does a start.
 */
const eagerness = ({ port, name }: Site) => {
  if (currentTask()?.kind === 'start') return 1
  return port === 'resources' || port === 'chain' || port === 'model' || port === 'search' || name === 'recordSigned' ? 4 : 1
}

const killedAgain = 5
const isDeath = ({ form }: Fault) => form.do === 'die' || form.do === 'lose-power'

const describe = ({ form }: Fault) => ('side' in form ? `${form.do} ${form.side}` : form.do)
