import { nobody } from '../../domain/hex.ts'

/** Priority of a run: 0 has a job, 1 belongs to a user, 2 came without a token. */
export const runRank = `(case when "user" = '${nobody}' then 2 when job_id is null then 1 else 0 end)`

/** Columns and indexes for choosing the next run, and for counting runs without a token. */
export const turns = [
  // The network address of a message that came without a token.
  'alter table run add column source text',
  `create index run_working on run ("user", source) where state in ('working', 'awaiting-job')`,
  `create index run_due on run (${runRank}, wake_at) where wake_at is not null and held_until is null`,
]
