/** What waits while it is asked for something better, and what waits for the user's words. */
export const standing = ['alter table job add column kept text', 'alter table run add column questions text']

/** What jobs are judged by and came to, for reputations. */
export const judging = [
  // How a job was judged, first time; disputed: its user says otherwise. What was fixed at the hire, and what was found.
  `alter table job add column outcome text check (outcome in ('accepted', 'rejected', 'failed', 'undelivered'))`,
  'alter table job add column outcome_at {BIGINT}',
  'alter table job add column submitted_at {BIGINT}',
  'alter table job add column disputed_at {BIGINT}',
  `alter table job add column dispute text not null default ''`,
  `alter table job add column checklist text not null default '[]'`,
  'alter table job add column verdict text',
  // The file that stands behind the feedback on chain, byte for byte; empty when there is nothing to say.
  'alter table job add column feedback text',
  `update job set outcome = 'accepted', outcome_at = updated_at where state in ('settling', 'settled')`,
  `update job set feedback = '' where state in ('settled', 'refunded', 'cancelled')`,
  'create index job_judged on job (agent_id, "user", outcome_at) where outcome is not null',
  `create index job_unrated on job (chain_id, outcome_at)
    where feedback is null and outcome is not null and state in ('settled', 'refunded')`,
]
