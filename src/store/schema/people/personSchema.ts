/**
 * What a person keeps here: browsers that are told of ends, searches that wait for an offering, results shown to others by a
 * link, agents marked as favourites or blocked, and reports of agents. `token` of a link is random, and knowing it is the
 * permission.
 */
export const personal = [
  `create table notice_device (
    id text primary key, wallet text not null, endpoint text not null, p256dh text not null, auth text not null,
    told_at {BIGINT} not null, due_at {BIGINT} not null default 0, tries {BIGINT} not null default 0, created_at {BIGINT} not null
  ) {STRICT}`,
  'create index notice_device_wallet on notice_device (wallet, created_at)',
  `create index run_ended_of_user on run ("user", updated_at) where state in ('completed', 'failed')`,
  `create table saved_search (
    id text primary key, wallet text not null, chain_id {BIGINT} not null, text text not null, created_at {BIGINT} not null,
    checked_at {BIGINT} not null, found_at {BIGINT}
  ) {STRICT}`,
  'create index saved_search_wallet on saved_search (wallet, created_at)',
  'create index saved_search_due on saved_search (checked_at) where found_at is null',
  `create table shared_result (
    token text primary key, wallet text not null, run_id text not null unique, created_at {BIGINT} not null
  ) {STRICT}`,
  'create index shared_result_wallet on shared_result (wallet, created_at)',
  `create table agent_mark (
    wallet text not null, agent_id text not null, mark text not null check (mark in ('favourite', 'blocked')),
    at {BIGINT} not null, primary key (wallet, agent_id)
  ) {STRICT}`,
  `create table agent_report (
    id text primary key, wallet text not null, agent_id text not null, reason text not null, words text not null,
    at {BIGINT} not null, unique (wallet, agent_id)
  ) {STRICT}`,
  'create index agent_report_at on agent_report (at)',
]
