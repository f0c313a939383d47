import { limits } from '../../domain/limits.ts'
import { creditOf, isFree, type Line } from './lines.ts'
import { createWorkClock } from './workClock.ts'

/** One request in progress. Calling `end` again has no effect. */
export type Turn = { charge(ms: number): void; end(): void }
/**
 * The lines in which a request counts: its own, the narrowest first, and the one of all strangers. Requests without that line are
 * those of users, who come first.
 */
export type Path = { own: readonly Line[]; strangers?: Line }

type Waiting = { path: Path; start(turn: Turn | undefined): void }

/** A request that takes longer waits for a chain or an agent. It then leaves its place to the next request. */
const maxWorkingMs = 250
/** How often waiting requests are looked at while no request ends. */
const lookEveryMs = 10

/**
 * Lets requests begin when all of their lines have a free place and time left. Of those that wait, users come first, and then the
 * request whose lines have used least, so that nobody waits for the queue of another.
 */
export const createQueue = ({ waitMs }: { waitMs: number }) => {
  const clock = createWorkClock()
  const waiting = new Set<Waiting>()
  let isSoon = false
  let isWatching = false

  const begin = (path: Path): Turn => {
    const lines = linesOf(path)
    for (const line of lines) line.working += 1
    const endWork = clock.begin()
    let isOver = false
    const charge = (ms: number) => {
      for (const line of lines) line.credit -= ms
    }
    const end = () => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      for (const line of lines) line.working -= 1
      charge(endWork())
      lookSoon()
    }
    const timer = setTimeout(end, maxWorkingMs).unref()
    return { charge, end }
  }

  const leave = (it: Waiting) => {
    waiting.delete(it)
    for (const line of linesOf(it.path)) line.waiting -= 1
  }
  /** Only after pending I/O, so that requests which arrived meanwhile are compared as well. */
  const lookSoon = () => {
    if (waiting.size === 0 || isSoon) return
    isSoon = true
    setImmediate(look)
  }
  const look = () => {
    isSoon = false
    const now = performance.now()
    const next = pick(waiting, it => (isStartable(it.path, now) ? claimOf(it.path, now) : undefined))
    if (next) {
      leave(next)
      next.start(begin(next.path))
      lookSoon()
    }
    watch()
  }
  /** Looks again later: a line may have got time by then. */
  const watch = () => {
    if (waiting.size === 0 || isWatching) return
    isWatching = true
    setTimeout(() => {
      isWatching = false
      look()
    }, lookEveryMs).unref()
  }
  /** Makes room for a request with a better claim: the one with the worst claim is refused. */
  const makeRoom = (path: Path): boolean => {
    if (waiting.size < limits.waitingRequests) return true
    const now = performance.now()
    const worst = pick(waiting, it => -claimOf(it.path, now))
    if (!worst || claimOf(worst.path, now) >= claimOf(path, now)) return false
    leave(worst)
    worst.start(undefined)
    return true
  }

  const wait = (path: Path): Promise<Turn | undefined> =>
    new Promise(resolve => {
      const timer = setTimeout(() => {
        leave(it)
        resolve(undefined)
      }, waitMs)
      const it: Waiting = {
        path,
        start: turn => {
          clearTimeout(timer)
          resolve(turn)
        },
      }
      waiting.add(it)
      for (const line of linesOf(path)) line.waiting += 1
      look()
    })

  return {
    /** Resolves with a turn, at once or after a wait. Resolves with undefined when too many wait, or when the wait is too long. */
    take: async (path: Path): Promise<Turn | undefined> => {
      // A stranger who comes later must not begin before one who waits.
      if (isStartable(path, performance.now()) && (isUser(path) || waiting.size === 0)) return begin(path)
      if ((path.own[0]?.waiting ?? 0) >= limits.waitingRequestsOfAddress || !makeRoom(path)) return undefined
      return wait(path)
    },
  }
}

const linesOf = ({ own, strangers }: Path): readonly Line[] => (strangers ? [...own, strangers] : own)
const isUser = ({ strangers }: Path): boolean => strangers === undefined

const isStartable = ({ own, strangers }: Path, now: number): boolean =>
  own.every(line => isFree(line, now)) && (!strangers || isFree(strangers, now))

/** Above all claims of strangers. */
const userClaim = 1_000

/** How little the lines of a request have used: 1 when nothing, below 0 when too much. */
const claimOf = (path: Path, now: number): number =>
  Math.min(...path.own.map(it => creditOf(it, now) / it.bounds.burstMs)) + (isUser(path) ? userClaim : 0)

/** The first of those with the highest value; undefined when none has a value. */
const pick = <T>(all: Iterable<T>, rate: (it: T) => number | undefined): T | undefined => {
  let best: { it: T; value: number } | undefined
  for (const it of all) {
    const value = rate(it)
    if (value !== undefined && (!best || value > best.value)) best = { it, value }
  }
  return best?.it
}
