/** What overlapping releases need: the kind of each migration, and rows that a release could not read. */
export const upgrades = [
  'alter table schema_migration add column is_addition {BIGINT} not null default 0',
  // at: when a process last met the row.
  `create table unreadable_row (
    source text not null, row_key text not null, reason text not null, at {BIGINT} not null, primary key (source, row_key)
  ) {STRICT}`,
  'create index unreadable_row_at on unreadable_row (at)',
]
