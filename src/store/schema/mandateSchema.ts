/** Mandates: amounts that users allow in advance, and the drawings on them. */
export const mandates = [
  // Amounts are atomic units of the chain's USDC, with this number of decimals.
  `create table mandate (
    seq {IDENTITY}, id text not null unique, "user" text not null, chain_id {BIGINT} not null, decimals {BIGINT} not null,
    max_per_job text not null, max_per_period text not null, period text not null check (period in ('day', 'week', 'month')),
    ask_above text not null, categories {JSON} not null,
    expires_at {BIGINT} not null, created_at {BIGINT} not null, revoked_at {BIGINT}
  ) {STRICT}`,
  'create index mandate_user on mandate ("user", seq)',
  // The recorded consent of a mandate to the terms of a run, written before they are signed.
  `create table mandate_drawing (
    run_id text primary key references run (id), mandate_id text not null references mandate (id),
    terms_digest text not null, amount text not null, at {BIGINT} not null
  ) {STRICT}`,
  'create index mandate_drawing_mandate on mandate_drawing (mandate_id, at)',
  'alter table job add column mandate_id text',
]
