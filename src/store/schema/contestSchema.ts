/** Agents whose jobs two pollers asked for, and when, for the alerts of the leading process. */
export const contests = [
  'create table agent_contest (agent_id text primary key, at {BIGINT} not null) {STRICT}',
  'create index agent_contest_at on agent_contest (at)',
]
