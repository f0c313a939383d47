/** Usage prices: the units that an agent stated, the start of its last lease, and the part of the budget that came back. */
export const usage = [
  'alter table job add column units {BIGINT}',
  'alter table job add column leased_at {BIGINT}',
  'alter table job add column returned text',
]
