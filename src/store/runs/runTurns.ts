import { minuteMs } from '../../domain/durations.ts'
import { limits } from '../../domain/limits.ts'
import { runRank } from '../schema/turnSchema.ts'

/** Longest lease of any worker, in ms. A lease that ends later was written before the clock was set back. */
const longestHoldMs = minuteMs
/** Woken runs compared per rank. A user has at most 100 open ones. */
const comparedRuns = 400
const ranks = [0, 1, 2]

const isWoken = 'wake_at is not null and held_until is null'
const isLapsed = `(held_until < {NOW} or held_until > {NOW} + ${longestHoldMs})`

const oldestOf = (rank: number) =>
  `select * from (select id, "user", ${rank} as rank_of, wake_at as since from run
    where ${runRank} = ${rank} and ${isWoken} order by wake_at limit ${comparedRuns}) woken_${rank}`

// SQLite processes a cross join in the written order: the few turns first, then their runs by id.
/**
 * The ids of up to $1 runs to advance. Runs with a job come first, then one run of each user before the second of any. Runs
 * without a token come last, and only few are leased at once. A user's leased runs count as turns taken. An expired lease
 * counts as woken, because its holder has died.
 */
export const dueRuns = `candidate as materialized (
    ${ranks.map(oldestOf).join(' union all ')}
    union all select id, "user", ${runRank}, held_until from run where ${isLapsed}
  ), holding as materialized (
    select "user", ${runRank} as rank_of from run where held_until >= {NOW} and held_until <= {NOW} + ${longestHoldMs}
  ), held as materialized (
    select "user", rank_of, count(*) as places from holding group by "user", rank_of
  ), turn as materialized (
    select candidate.id, candidate.rank_of, since, coalesce(places, 0) + row_number() over (
      partition by candidate."user", candidate.rank_of order by since, candidate.id) as number
    from candidate left join held on held."user" = candidate."user" and held.rank_of = candidate.rank_of
  ), due as materialized (
    select run.id from turn cross join run
    where run.id = turn.id and ((${isWoken}) or ${isLapsed}) and (rank_of < 2 or number <= ${limits.anonymousRunsAtOnce})
    order by rank_of, number, since limit $1 {SKIP}
  )`
