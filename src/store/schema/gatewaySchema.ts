export const gateway = [
  // Only the agent knows the id; the submitter of the task knows the name.
  `create table gateway_task (
    seq {IDENTITY}, id text not null unique, name text not null unique, queue text not null, payload {JSON} not null,
    state text not null check (state in ('pending', 'working', 'completed', 'failed', 'canceled')),
    attempt {BIGINT} not null default 0, lease_until {BIGINT}, result {JSON}, error text not null default '',
    created_at {BIGINT} not null, updated_at {BIGINT} not null, check ((state = 'working') = (lease_until is not null))
  ) {STRICT}`,
  `create index gateway_task_ready on gateway_task (queue, seq) where state = 'pending'`,
  `create index gateway_task_lease on gateway_task (lease_until) where state = 'working'`,
  'create index gateway_task_age on gateway_task (updated_at)',
  `create table agent_access (
    agent_key text primary key references agent (key), is_strict {BIGINT} not null default 0 check (is_strict in (0, 1)),
    secret_hash text unique
  ) {STRICT}`,
  // adrift: a leased job whose delivery may not have reached the agent; pushes and push_after: calls to the agent's own
  // endpoint.
  'alter table job add column adrift {BIGINT} not null default 0 check (adrift in (0, 1))',
  'alter table job add column pushes {BIGINT} not null default 0',
  'alter table job add column push_after {BIGINT}',
  'create index job_adrift on job (agent_id, seq) where adrift = 1',
]

// The process that leased the job to its agent, on a PostgreSQL server.
export const leasing = ['alter table job add column leased_by text']
