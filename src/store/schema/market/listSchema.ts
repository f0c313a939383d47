// A boolean JSON member, which PostgreSQL reads as `true` and SQLite as 1.
const holds = (member: string) => `cast(body{PARSED}->>'${member}' as text) in ('true', '1')`

/** Columns and indexes for filtering, counting and limiting lists. */
export const lists = [
  // The network address that posted a job; whether its provider proved control of the named wallet.
  'alter table posted_job add column source text',
  'alter table posted_job add column is_provider_proven {BIGINT} not null default 0 check (is_provider_proven in (0, 1))',
  'create index posted_job_proven on posted_job (is_proven, client_key)',
  'create index posted_job_source on posted_job (source) where source is not null',
  'create index message_run on message (run_id) where run_id is not null',
  'create index posted_job_end on posted_job (expires_at)',
  'alter table agent_group add column source text',
  'create index agent_group_owner on agent_group (owner)',
  'create index agent_group_source on agent_group (source) where source is not null',
  // Whether anyone may find and hire the offering: active, neither hidden nor restricted.
  'alter table offering add column listed {BIGINT} not null default 0 check (listed in (0, 1))',
  `update offering set listed = 1 where ${holds('active')} and not ${holds('hide')} and not ${holds('restricted')}`,
  // The handle with look-alike characters folded, so that similar handles are equal.
  `alter table agent add column folded_handle text not null default ''`,
  `update agent set folded_handle =
    replace(replace(replace(replace(replace(replace(lower(handle), '_', '-'), '.', '-'), '0', 'o'), '1', 'l'), 'i', 'l'), '5', 's')`,
  'create index agent_folded_handle on agent (chain_id, folded_handle)',
  // The skills shown in lists, without the rest of the registration.
  `alter table agent add column skills {JSON} not null default '[]'`,
  `update agent set skills = coalesce(card{PARSED}->>'skills', '[]')`,
]
