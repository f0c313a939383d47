/** The index finds old idempotency keys. `alert_state` holds the alerts that were posted to the operator. */
export const keptAnswers = [
  'create index idempotency_at on idempotency (at)',
  `create table alert_state (
    alert text not null, subject text not null, condition {JSON} not null, since {BIGINT} not null,
    is_reported {BIGINT} not null check (is_reported in (0, 1)), primary key (alert, subject)
  ) {STRICT}`,
]

/** `pruned_at`: when the texts of an ended run were removed. The index finds the runs that are left. */
export const retention = [
  'alter table run add column pruned_at {BIGINT}',
  `create index run_ended on run (updated_at) where pruned_at is null and state in ('completed', 'failed')`,
]
