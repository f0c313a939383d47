/** `pruned_at`: when the texts of an ended run were removed. The index finds the runs that are left. */
export const retention = [
  'alter table run add column pruned_at {BIGINT}',
  `create index run_ended on run (updated_at) where pruned_at is null and state in ('completed', 'failed')`,
]
