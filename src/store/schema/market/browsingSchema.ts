const listed = 'where removed = 0 and listed = 1'
const newest = 'agent_seq desc, place, id'
const member = (name: string) => `body{PARSED}->>'${name}'`

/** Indexes for browsing the list of services in each order, so that a page is read without sorting the market. */
export const browsing = [
  // The place of its agent among all agents, so that one index holds the order.
  'alter table offering add column agent_seq {BIGINT} not null default 0',
  'update offering set agent_seq = (select a.seq from agent a where a.key = offering.agent_key)',
  `create index offering_newest on offering (${newest}) ${listed}`,
  `create index offering_sample on offering ((case when ${member('sample')} is null then 1 else 0 end), ${newest}) ${listed}`,
  `create index offering_price on offering ((cast(${member('price')} as numeric)), ${newest}) ${listed}`,
  `create index offering_speed on offering ((cast(${member('slaMinutes')} as numeric)), ${newest}) ${listed}`,
  `create index job_settled on job (agent_id, "user") where state = 'settled'`,
  'create index job_moved on job (updated_at)',
  // Checkpoints of runs that have reported the end of their job, which were kept before.
  `delete from checkpoint_write where thread_id in (select run.id from run join job on job.id = run.job_id
    where run.state = 'completed' and job.state in ('settled', 'refunded', 'cancelled'))`,
  `delete from checkpoint where thread_id in (select run.id from run join job on job.id = run.job_id
    where run.state = 'completed' and job.state in ('settled', 'refunded', 'cancelled'))`,
]
