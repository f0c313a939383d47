/** Counts of each agent and tags of each listed offering, so that no list counts or sorts the market. */
export const keptCounts = [
  // Settled jobs of other users than its owner.
  'alter table agent add column paid_jobs {BIGINT} not null default 0',
  `update agent set paid_jobs = (select count(*) from job j where j.agent_id = agent.id and j.state = 'settled' and j."user" <> agent.owner)`,
  'create index agent_paid_jobs on agent (paid_jobs desc, seq desc)',
  'create index offering_of_agent on offering (agent_key, place, id) where removed = 0 and listed = 1',
  // Only offerings that anyone may find have rows. The order of the columns is that of the list, newest agents first.
  `create table offering_tag (
    tag text not null, agent_seq {BIGINT} not null, place {BIGINT} not null, offering_id text not null, agent_key text not null,
    primary key (agent_key, offering_id, tag)
  ) {STRICT}`,
  'create index offering_tag_newest on offering_tag (tag, agent_seq desc, place, offering_id)',
  `insert into offering_tag (tag, agent_seq, place, offering_id, agent_key)
    select distinct t.value, o.agent_seq, o.place, o.id, o.agent_key from offering o, {TAGS} where o.removed = 0 and o.listed = 1`,
]

/** Columns and indexes that statistics and tags are counted from, without reading jobs or offerings. */
export const counted = [
  'create index job_counted on job (chain_id, state, budget, fee, updated_at)',
  // The price of the offering, a decimal.
  `alter table offering_tag add column price text not null default '0'`,
  `update offering_tag set price = (select o.body{PARSED}->>'price' from offering o
    where o.agent_key = offering_tag.agent_key and o.id = offering_tag.offering_id)`,
  'create index offering_tag_price on offering_tag (tag, (cast(price as numeric)), agent_seq)',
]
