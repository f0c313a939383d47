export const runs = [
  // wake_at: when the run was woken; holds: number of leases so far, which identifies the current lease.
  `create table run (
    seq {IDENTITY}, id text not null unique, conversation_id text not null, "user" text not null, chain_id {BIGINT} not null,
    task text not null, state text not null check (state in
      ('working', 'awaiting-input', 'awaiting-confirmation', 'awaiting-job', 'completed', 'failed')),
    interrupt_id text, answer text not null, proposal {JSON}, job_id text,
    last_seq {BIGINT} not null default 0, wake_at {BIGINT}, holds {BIGINT} not null default 0, held_until {BIGINT},
    created_at {BIGINT} not null, updated_at {BIGINT} not null
  ) {STRICT}`,
  'create index run_user on run ("user", seq)',
  'create index run_conversation on run (conversation_id, seq)',
  'create index run_woken on run (wake_at) where wake_at is not null',
  'create index run_held on run (held_until) where held_until is not null',

  `create table run_input (
    run_id text not null references run (id), interrupt_id text not null, input {JSON} not null, at {BIGINT} not null,
    primary key (run_id, interrupt_id)
  ) {STRICT}`,
  `create table run_event (
    run_id text not null references run (id), seq {BIGINT} not null, kind text not null, summary text not null,
    data {JSON} not null, key text, at {BIGINT} not null,
    primary key (run_id, seq), unique (run_id, key)
  ) {STRICT}`,

  // attempt: number of deliveries, counted before the work. It never decreases and is the fencing token of a lease.
  `create table job (
    seq {IDENTITY}, id text not null unique, run_id text not null unique references run (id), agent_id text not null,
    agent_wallet text not null, chain_id {BIGINT} not null, "user" text not null, user_wallet text not null,
    terms {JSON} not null, offering {JSON} not null, budget text not null, fee text not null,
    pickup_by {BIGINT} not null, lease_ms {BIGINT} not null, submit_by {BIGINT} not null, evaluate_by {BIGINT} not null,
    expires_at {BIGINT} not null,
    state text not null check (state in ('open', 'escrowed', 'queued', 'leased', 'submitted', 'settling', 'rejected', 'expired',
      'settled', 'refunded', 'cancelled')),
    chain_job_id text, attempt {BIGINT} not null default 0, lease_until {BIGINT}, deliverable text, reason text not null default '',
    created_at {BIGINT} not null, updated_at {BIGINT} not null,
    unique (chain_id, chain_job_id), check ((state = 'leased') = (lease_until is not null))
  ) {STRICT}`,
  // Only partial indexes on states, with equality columns first: SQLite plans without statistics and would scan the whole
  // history.
  `create index job_ready on job (agent_id, state, seq) where state = 'queued'`,
  `create index job_worn on job (attempt) where state = 'queued'`,
  `create index job_lease on job (lease_until) where state = 'leased'`,
  `create index job_promise on job (submit_by) where state in ('escrowed', 'queued', 'leased')`,
  'create index job_agent on job (agent_id, seq)',
  'create index job_user on job ("user", seq)',
]

export const checkpoints = [
  `create table checkpoint (
    thread_id text not null, namespace text not null, id text not null, parent_id text,
    type text not null, body {BLOB} not null, metadata_type text not null, metadata {BLOB} not null,
    primary key (thread_id, namespace, id)
  ) {STRICT}`,
  `create table checkpoint_write (
    thread_id text not null, namespace text not null, checkpoint_id text not null, task_id text not null, place {BIGINT} not null,
    channel text not null, type text not null, body {BLOB} not null,
    primary key (thread_id, namespace, checkpoint_id, task_id, place)
  ) {STRICT}`,
]
