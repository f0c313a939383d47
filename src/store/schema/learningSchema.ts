/** Settled requests that search learns from. */
export const learning = [
  // The search terms of a settled request, per offering, without their original order.
  `create table learned_request (
    job_id text primary key references job (id), agent_key text not null, offering_id text not null, payer text not null,
    terms {JSON} not null, at {BIGINT} not null
  ) {STRICT}`,
  'create index learned_request_offering on learned_request (agent_key, offering_id, at)',
  'create index learned_request_payer on learned_request (payer)',
  // Users who refuse learning from their requests.
  'create table learning_refusal (wallet text primary key, at {BIGINT} not null) {STRICT}',
]
