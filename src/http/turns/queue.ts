import { limits } from '../../domain/limits.ts'
import { isStartable, isUser, linesOf, type Path } from './claims.ts'
import { createWaitingRoom } from './waitingRoom.ts'
import { createWorkClock, type WorkClock } from './workClock.ts'

/** One request in progress. Calling `end` again has no effect. */
export type Turn = { charge(ms: number): void; end(): void }

/** A request that takes longer waits for a chain or an agent. It then leaves its place to the next request. */
const maxWorkingMs = 250
/** How often waiting requests are looked at while no request ends. */
const lookEveryMs = 10

/** Begins a request, which takes a place in each of its lines until it ends. */
const beginTurn = (path: Path, clock: WorkClock, onEnd: () => void): Turn => {
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
    onEnd()
  }
  const timer = setTimeout(end, maxWorkingMs).unref()
  return { charge, end }
}

/**
 * Lets requests begin when all of their lines have a free place and time left. Of those that wait, users come first, and then the
 * request whose lines have used least, so that nobody waits for the queue of another.
 */
export const createQueue = (bounds: { waitMs: number }) => {
  const clock = createWorkClock()
  const room = createWaitingRoom<Turn>(bounds)
  let isSoon = false
  let isWatching = false

  /** Only after pending I/O, so that requests which arrived meanwhile are compared as well. */
  const lookSoon = () => {
    if (room.isEmpty() || isSoon) return
    isSoon = true
    setImmediate(look)
  }
  const begin = (path: Path) => beginTurn(path, clock, lookSoon)
  const look = () => {
    isSoon = false
    const next = room.takeNext()
    if (next) {
      next.start(begin(next.path))
      lookSoon()
    }
    watch()
  }
  /** Looks again later: a line may have got time by then. */
  const watch = () => {
    if (room.isEmpty() || isWatching) return
    isWatching = true
    setTimeout(() => {
      isWatching = false
      look()
    }, lookEveryMs).unref()
  }

  return {
    /**
     * Resolves with a turn, at once or after a wait. Resolves with undefined when too many wait, or when the wait is too long.
     */
    take: async (path: Path): Promise<Turn | undefined> => {
      // A stranger who comes later must not begin before one who waits.
      if (isStartable(path, performance.now()) && (isUser(path) || room.isEmpty())) return begin(path)
      if ((path.own[0]?.waiting ?? 0) >= limits.waitingRequestsOfAddress || !room.makeRoom(path)) return undefined
      const turn = room.wait(path)
      look()
      return turn
    },
  }
}
