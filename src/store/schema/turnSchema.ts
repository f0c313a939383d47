import { nobody } from '../../domain/hex.ts'

/** Which runs are advanced first: 0 has a job, 1 is a user's, 2 came without a token. */
export const runRank = `(case when "user" = '${nobody}' then 2 when job_id is null then 1 else 0 end)`

/** What decides whose run is advanced next, and how many of them came without a token. */
export const turns = [
  // The network address of a message that came without a token.
  'alter table run add column source text',
  `create index run_working on run ("user", source) where state in ('working', 'awaiting-job')`,
  `create index run_due on run (${runRank}, wake_at) where wake_at is not null and held_until is null`,
]
