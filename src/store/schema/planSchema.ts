/** Plans of several hires with one yes. A step is a run of its own, which names its plan by the run that proposed it. */
export const plans = [
  'alter table run add column parent text',
  'alter table run add column step {BIGINT}',
  'alter table run add column unplanned {JSON}',
  // The terms contain texts of the user, which the retention time removes.
  `create table plan (
    run_id text primary key references run (id), chain_id {BIGINT} not null, terms {JSON}, digest text not null,
    total text not null, decimals {BIGINT} not null, state text not null default 'proposed' check (state in ('proposed', 'running', 'ended', 'declined')),
    mandate_id text, agreed_at {BIGINT}, stopped_at {BIGINT}, created_at {BIGINT} not null,
    check (state in ('proposed', 'declined') or agreed_at is not null)
  ) {STRICT}`,
  // attempt 0 is the step itself, 1 its standby. terms_digest and amount are written with the job: a step opens once.
  `create table plan_step (
    plan_id text not null references plan (run_id), number {BIGINT} not null, attempt {BIGINT} not null,
    run_id text unique, skipped text, terms_digest text, amount text, opened_at {BIGINT}, at {BIGINT} not null,
    primary key (plan_id, number, attempt), check ((run_id is null) = (skipped is not null)),
    check ((terms_digest is null) = (opened_at is null) and (amount is null) = (opened_at is null))
  ) {STRICT}`,
]
