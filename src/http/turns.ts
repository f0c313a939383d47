import type { Context, MiddlewareHandler } from 'hono'
import { limits } from '../domain/limits.ts'
import { Problem } from '../domain/problem.ts'
import { answerProblem } from './problem.ts'
import type { SourceOf } from './source.ts'

export type TurnBounds = {
  /** Requests of one address that are processed concurrently. */
  atOnce: number
  /** The share of event loop time that one address may use continuously, from 0 to 1. */
  share: number
  /** The event loop time in ms that an address may use before the share applies. */
  burstMs: number
  /** Time in ms that a request may wait for its turn before it is refused. */
  waitMs: number
}
export const turnBounds: TurnBounds = { atOnce: 2, share: 0.25, burstMs: 1_000, waitMs: 5_000 }

/** A request that takes longer is waiting for a chain or an agent. It then releases its slot to the next request. */
const maxWorkingMs = 250
/** Addresses whose state is kept before idle ones are dropped. */
const maxLines = 10_000
const retryAfterS = 5

/** One request in progress. Calling `end` again has no effect. */
type Turn = { charge(ms: number): void; end(): void }
type Start = (turn: Turn) => void
/** The state of one address. `credit` is the event loop time in ms that it may use before its requests must wait. */
type Line = { credit: number; filledAt: number; working: number; waiting: Set<Start>; timer: NodeJS.Timeout | undefined }

/**
 * Shares the event loop between network addresses (a token bucket per address, in event loop ms). An address has at most
 * `atOnce` requests in progress and `share` of the time. Its other requests wait in its own queue, so no address waits for the
 * queue of another.
 */
const createTurns = (bounds: TurnBounds) => {
  const lines = new Map<string, Line>()
  let waitingOfAll = 0
  const lineOf = (source: string): Line => {
    const line = lines.get(source) ?? { ...fresh(bounds), waiting: new Set<Start>() }
    if (!lines.has(source) && lines.size >= maxLines) forgetIdle(lines, bounds)
    lines.set(source, line)
    fill(line, bounds)
    return line
  }
  return {
    /**
     * Resolves with a turn, at once or after a wait. Resolves with undefined when a queue is full or the wait exceeds `waitMs`.
     */
    take: async (source: string): Promise<Turn | undefined> => {
      const line = lineOf(source)
      if (line.waiting.size === 0 && isFree(line, bounds)) return begin(line, bounds)
      if (line.waiting.size >= limits.waitingRequestsOfAddress || waitingOfAll >= limits.waitingRequests) return undefined
      waitingOfAll += 1
      const turn = await waitInLine(line, bounds)
      waitingOfAll -= 1
      return turn
    },
  }
}

const fresh = ({ burstMs }: TurnBounds) => ({ credit: burstMs, filledAt: performance.now(), working: 0, timer: undefined })

const fill = (line: Line, { share, burstMs }: TurnBounds): void => {
  const now = performance.now()
  line.credit = Math.min(burstMs, line.credit + share * (now - line.filledAt))
  line.filledAt = now
}

const isFree = ({ working, credit }: Line, { atOnce }: TurnBounds) => working < atOnce && credit > 0

const forgetIdle = (lines: Map<string, Line>, bounds: TurnBounds): void => {
  for (const [source, line] of lines) {
    fill(line, bounds)
    if (line.working === 0 && line.waiting.size === 0 && line.credit >= bounds.burstMs) lines.delete(source)
  }
}

const activeMs = (): number => performance.eventLoopUtilization().active

const begin = (line: Line, bounds: TurnBounds): Turn => {
  line.working += 1
  const before = activeMs()
  let isOver = false
  const end = () => {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    line.working -= 1
    line.credit -= activeMs() - before
    advanceSoon(line, bounds)
  }
  const timer = setTimeout(end, maxWorkingMs).unref()
  const charge = (ms: number) => {
    line.credit -= ms
  }
  return { charge, end }
}

const waitInLine = (line: Line, bounds: TurnBounds): Promise<Turn | undefined> =>
  new Promise(resolve => {
    const start: Start = turn => {
      clearTimeout(timer)
      resolve(turn)
    }
    const timer = setTimeout(() => {
      line.waiting.delete(start)
      resolve(undefined)
    }, bounds.waitMs)
    line.waiting.add(start)
    advanceSoon(line, bounds)
  })

/** Starts the next request only after pending I/O, so that requests of other addresses are read first. */
const advanceSoon = (line: Line, bounds: TurnBounds): void => {
  if (line.waiting.size > 0) setImmediate(advance, line, bounds)
}

const advance = (line: Line, bounds: TurnBounds): void => {
  fill(line, bounds)
  const [start] = line.waiting
  if (!start || line.working >= bounds.atOnce) return
  if (line.credit > 0) {
    line.waiting.delete(start)
    start(begin(line, bounds))
    advanceSoon(line, bounds)
    return
  }
  const again = () => {
    line.timer = undefined
    advance(line, bounds)
  }
  line.timer ??= setTimeout(again, 1 - line.credit / bounds.share).unref()
}

export type TurnOf = WeakMap<Request, Turn>
type TurnDeps = { bounds: TurnBounds; sourceOf: SourceOf; turnOf: TurnOf }

/**
 * Limits the requests of each network address before their bodies are read; refuses them with `rate-limited`. Requests of this
 * machine are not limited, unless a trusted proxy names another client.
 */
export const takeTurns = ({ bounds, sourceOf, turnOf }: TurnDeps): MiddlewareHandler => {
  const turns = createTurns(bounds)
  return async (c: Context, next) => {
    const source = sourceOf(c)
    // Thousands of agents may poll from one address, so polls are limited per agent, by the operation itself.
    if (source === undefined || c.req.path === '/gateway/jobs/poll') return next()
    const turn = await turns.take(source)
    if (!turn) return answerProblem(c, new Problem('rate-limited'), retryAfterS)
    turnOf.set(c.req.raw, turn)
    try {
      return await next()
    } finally {
      turn.end()
    }
  }
}
