/** Test jobs that owners send to their own agents. They are kept apart from hires, so nothing that reads hires counts them. */
export const testJobs = [
  `create table test_job (
    seq {IDENTITY}, id text not null unique, owner text not null, agent_id text not null, chain_id {BIGINT} not null,
    offering {JSON} not null, offering_version {BIGINT} not null, input text not null, submit_by {BIGINT} not null,
    leased_at {BIGINT}, ended_at {BIGINT}, deliverable text, failure text not null default '', criteria {JSON} not null,
    created_at {BIGINT} not null, check (ended_at is null or leased_at is not null)
  ) {STRICT}`,
  'create index test_job_owner on test_job (owner, created_at)',
  'create index test_job_age on test_job (created_at)',
  'create index test_job_ready on test_job (agent_id, seq) where leased_at is null',
]

// due: how often the job is delivered; deliveries: how often it was; losses: completions that will be refused.
export const testDeliveryColumns = [
  `alter table test_job add column delivery text not null default 'once'`,
  'alter table test_job add column due {BIGINT} not null default 1',
  'alter table test_job add column deliveries {BIGINT} not null default 0',
  'alter table test_job add column losses {BIGINT} not null default 0',
  'update test_job set deliveries = 1 where leased_at is not null',
  'drop index test_job_ready',
  'create index test_job_ready on test_job (agent_id, seq) where deliveries < due',
]
