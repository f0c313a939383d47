/** What the requests of a line may use. */
export type LineBounds = {
  atOnce: number
  /** The share of event loop time that the line may use continuously, from 0 to 1. */
  share: number
  /** The event loop time in ms that it may use before the share applies. */
  burstMs: number
}

/** The requests of an address, of a network, of a user, or of all strangers. `credit` is the time in ms that they may use. */
export type Line = { bounds: LineBounds; credit: number; filledAt: number; working: number; waiting: number }

/** Lines whose state is kept. About 200 bytes each. */
const maxLines = 20_000
/** How often lines that count nothing are dropped, in ms. */
const sweepMs = 1_000

/** Creates the lines, by name. A line that is at rest is the same as a new one, so it need not be kept. */
export const createLines = () => {
  const lines = new Map<string, Line>()
  let sweptAt = 0
  const sweep = (now: number) => {
    sweptAt = now
    for (const [name, line] of lines) if (isAtRest(line, now)) lines.delete(name)
  }
  return (name: string, bounds: LineBounds): Line => {
    const now = performance.now()
    const line = lines.get(name) ?? { bounds, credit: bounds.burstMs, filledAt: now, working: 0, waiting: 0 }
    if (!lines.has(name)) {
      if (lines.size >= maxLines && now - sweptAt > sweepMs) sweep(now)
      if (lines.size < maxLines) lines.set(name, line)
    }
    return line
  }
}

const isAtRest = (line: Line, now: number): boolean =>
  line.working === 0 && line.waiting === 0 && creditOf(line, now) >= line.bounds.burstMs

/** Adds the time that has become free since the last call, and returns the credit in ms. */
export const creditOf = (line: Line, now: number): number => {
  const { share, burstMs } = line.bounds
  line.credit = Math.min(burstMs, line.credit + share * (now - line.filledAt))
  line.filledAt = now
  return line.credit
}

export const isFree = (line: Line, now: number): boolean => line.working < line.bounds.atOnce && creditOf(line, now) > 0
