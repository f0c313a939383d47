import { minuteMs } from '../../domain/durations.ts'
import { limits } from '../../domain/limits.ts'
import { runRank } from '../schema/turnSchema.ts'

/** No worker holds longer: a hold that ends later was taken by a clock that has been set back since. */
const longestHoldMs = minuteMs
/** Woken runs of one rank that are compared with each other; a user has 100 open ones at most. */
const comparedRuns = 400
const ranks = [0, 1, 2]

const isWoken = 'wake_at is not null and held_until is null'
const isLapsed = `(held_until < {NOW} or held_until > {NOW} + ${longestHoldMs})`

const oldestOf = (rank: number) =>
  `select * from (select id, "user", ${rank} as rank_of, wake_at as since from run
    where ${runRank} = ${rank} and ${isWoken} order by wake_at limit ${comparedRuns}) woken_${rank}`

// SQLite takes the tables of a cross join in the order they are written: few turns first, then their runs by id.
/**
 * The ids of up to $1 runs to advance. Runs with a job come first, then one run of each user before the second of any, then runs
 * without a token, of which few are held at once. A user's held runs count as turns taken. A run whose hold lapsed counts as
 * woken: its holder died.
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
