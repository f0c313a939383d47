import { creditOf, isFree, type Line } from './lines.ts'

/**
 * The lines in which a request counts: its own, the narrowest first, and the one of all strangers. Requests without that line are
 * those of users, who come first.
 */
export type Path = { own: readonly Line[]; strangers?: Line }

export const linesOf = ({ own, strangers }: Path): readonly Line[] => (strangers ? [...own, strangers] : own)
export const isUser = ({ strangers }: Path): boolean => strangers === undefined

export const isStartable = ({ own, strangers }: Path, now: number): boolean =>
  own.every(line => isFree(line, now)) && (!strangers || isFree(strangers, now))

/** Above all claims of strangers. */
const userClaim = 1_000

/** How little the lines of a request have used: 1 when nothing, below 0 when too much. */
export const claimOf = (path: Path, now: number): number =>
  Math.min(...path.own.map(it => creditOf(it, now) / it.bounds.burstMs)) + (isUser(path) ? userClaim : 0)

/** The first of those with the highest value; undefined when none has a value. */
export const pick = <T>(all: Iterable<T>, rate: (it: T) => number | undefined): T | undefined => {
  let best: { it: T; value: number } | undefined
  for (const it of all) {
    const value = rate(it)
    if (value !== undefined && (!best || value > best.value)) best = { it, value }
  }
  return best?.it
}
