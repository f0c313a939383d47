export const market = [
  `create table agent (
    seq {IDENTITY}, key text not null unique, id text unique, chain_id {BIGINT} not null, handle text not null,
    owner text not null, wallet text not null, name text not null, description text not null,
    endpoint_url text, via_gateway {BIGINT} not null check (via_gateway in (0, 1)), card {JSON} not null,
    revision {BIGINT} not null default 0, created_at {BIGINT} not null, updated_at {BIGINT} not null,
    unique (chain_id, handle), check (handle not like '%:%')
  ) {STRICT}`,
  'create index agent_handle on agent (handle)',
  // Two handles that differ only in letter case could be mistaken for each other.
  'create unique index agent_handle_any_case on agent (chain_id, lower(handle))',
  'create index agent_owner on agent (owner, seq)',

  // A removed offering keeps its row, so that its version continues when it returns.
  `create table offering (
    agent_key text not null references agent (key), id text not null, version {BIGINT} not null,
    body {JSON} not null, place {BIGINT} not null, removed {BIGINT} not null default 0 check (removed in (0, 1)),
    primary key (agent_key, id)
  ) {STRICT}`,

  `create table wallet (
    address text primary key, role text not null, owner text not null, sealed_key text not null,
    unique (role, owner)
  ) {STRICT}`,
  'create table secret (name text primary key, sealed text not null) {STRICT}',

  `create table message (
    seq {IDENTITY}, conversation_id text not null, "user" text not null,
    role text not null check (role in ('user', 'agent')), content text not null, run_id text, at {BIGINT} not null
  ) {STRICT}`,
  'create index message_conversation on message (conversation_id, "user", seq)',
]

export const records = [
  // The price of a direct call to the agent; its offerings have their own prices.
  `alter table agent add column call_price text not null default '0'`,
  'alter table agent add column retired {BIGINT} not null default 0 check (retired in (0, 1))',
  'alter table run add column target text',
  `create table agent_group (
    seq {IDENTITY}, id text not null unique, owner text, name text not null, display_name text not null, members {JSON} not null,
    price text not null, metadata {JSON} not null, created_at {BIGINT} not null
  ) {STRICT}`,
  `create table butler (
    wallet text not null, chain_id {BIGINT} not null, handle text not null, created_at {BIGINT} not null,
    primary key (wallet, chain_id)
  ) {STRICT}`,
  `create table posted_job (
    seq {IDENTITY}, id text not null unique, chain_id {BIGINT} not null,
    state text not null check (state in ('open', 'accepted', 'submitted', 'completed', 'rejected')),
    description text not null, reward_amount text not null, reward_token text not null,
    client_id text not null, client_key text not null, is_proven {BIGINT} not null check (is_proven in (0, 1)),
    provider_id text not null, provider_key text not null, evaluator_id text not null, evaluator_key text not null,
    metadata {JSON} not null, deliverable {JSON}, reason text not null, expires_at {BIGINT} not null,
    created_at {BIGINT} not null, updated_at {BIGINT} not null
  ) {STRICT}`,
  'create index posted_job_client on posted_job (client_key, seq)',
  'create index posted_job_provider on posted_job (provider_key, seq)',
  'create index posted_job_evaluator on posted_job (evaluator_key, seq)',
  'create index message_user on message ("user", conversation_id, seq)',
]
