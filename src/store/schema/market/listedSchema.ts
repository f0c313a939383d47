const member = (name: string) => `o.body{PARSED}->>'${name}'`
/** The chain of an offering's agent, and null while the agent has no identity. */
const chainOfAgent = '(select a.chain_id from agent a where a.seq = o.agent_seq and a.id is not null)'
const shown = 'where removed = 0 and listed = 1'
const newest = 'agent_seq desc, place, id'

/**
 * The columns that lists are filtered and sorted by. Each index has all of them, so that pages and counts of rare filters read
 * neither offerings nor agents.
 */
export const listedColumns = [
  'alter table offering add column chain_id {BIGINT}',
  'alter table offering add column price {REAL} not null default 0',
  'alter table offering add column sla_minutes {BIGINT} not null default 0',
  'alter table offering add column has_sample {BIGINT} not null default 0 check (has_sample in (0, 1))',
  `update offering set (chain_id, price, sla_minutes, has_sample) = (select ${chainOfAgent}, cast(${member('price')} as {REAL}),
    cast(${member('slaMinutes')} as {BIGINT}), case when ${member('sample')} is null then 0 else 1 end
    from offering o where o.agent_key = offering.agent_key and o.id = offering.id)`,
  ...['newest', 'sample', 'price', 'speed', 'of_agent'].map(name => `drop index offering_${name}`),
  `create index offering_newest on offering (${newest}, chain_id, price) ${shown}`,
  `create index offering_sample on offering (has_sample desc, ${newest}, chain_id, price) ${shown}`,
  `create index offering_price on offering (price, ${newest}, chain_id) ${shown}`,
  `create index offering_speed on offering (sla_minutes, ${newest}, chain_id, price) ${shown}`,
  'drop table offering_tag',
  // Only offerings that anyone may find have rows.
  `create table offering_tag (
    tag text not null, agent_seq {BIGINT} not null, place {BIGINT} not null, offering_id text not null, agent_key text not null,
    chain_id {BIGINT}, price {REAL} not null, sla_minutes {BIGINT} not null, has_sample {BIGINT} not null,
    primary key (agent_key, offering_id, tag)
  ) {STRICT}`,
  `insert into offering_tag (tag, agent_seq, place, offering_id, agent_key, chain_id, price, sla_minutes, has_sample)
    select distinct t.value, o.agent_seq, o.place, o.id, o.agent_key, o.chain_id, o.price, o.sla_minutes, o.has_sample
    from offering o, {TAGS} where o.removed = 0 and o.listed = 1`,
  'create index offering_tag_newest on offering_tag (tag, agent_seq desc, place, offering_id, chain_id, price, ' +
    'sla_minutes, has_sample)',
  // Sum of an agent's payouts for jobs of others, in atomic units of its chain's USDC. Rounded: rankings show it to a millionth
  // of a USDC.
  'alter table agent add column earned {REAL} not null default 0',
  `update agent set earned = coalesce((select sum(cast(j.budget as {REAL}) - cast(j.fee as {REAL})) from job j
    where j.agent_id = agent.id and j.state = 'settled' and j."user" <> agent.owner), 0)`,
  'drop index agent_paid_jobs',
  'create index agent_paid_jobs on agent (paid_jobs desc, seq desc, chain_id)',
  'create index agent_paid on agent (chain_id, paid_jobs desc, id)',
  'create index agent_earned on agent (chain_id, earned desc, id)',
  'create index agent_public on agent (chain_id, seq desc) where id is not null and retired = 0',
  'create index agent_created on agent (created_at, seq)',
  'create index agent_newest on agent (seq desc, chain_id) where id is not null and retired = 0',
]
