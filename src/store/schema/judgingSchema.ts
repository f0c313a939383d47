/** `kept`: the earlier deliverable during a revision. `questions`: open questions to the user. */
export const keptDeliverable = ['alter table job add column kept text', 'alter table run add column questions text']

/** Verdicts and outcomes of jobs, for reputations. */
export const judging = [
  // outcome: the first judgement of the job; disputed_at: the user's objection; checklist: agreed at the hire; verdict: the
  // findings.
  `alter table job add column outcome text check (outcome in ('accepted', 'rejected', 'failed', 'undelivered'))`,
  'alter table job add column outcome_at {BIGINT}',
  'alter table job add column submitted_at {BIGINT}',
  'alter table job add column disputed_at {BIGINT}',
  `alter table job add column dispute text not null default ''`,
  `alter table job add column checklist text not null default '[]'`,
  'alter table job add column verdict text',
  // The exact feedback file whose hash is on chain; empty when no feedback is given.
  'alter table job add column feedback text',
  `update job set outcome = 'accepted', outcome_at = updated_at where state in ('settling', 'settled')`,
  `update job set feedback = '' where state in ('settled', 'refunded', 'cancelled')`,
  'create index job_judged on job (agent_id, "user", outcome_at) where outcome is not null',
  `create index job_unrated on job (chain_id, outcome_at)
    where feedback is null and outcome is not null and state in ('settled', 'refunded')`,
]
