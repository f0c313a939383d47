/** What settled requests teach search. */
export const learning = [
  // The terms of a settled request, for the offering that did it; never who asked for what in their own order of words.
  `create table learned_request (
    job_id text primary key references job (id), agent_key text not null, offering_id text not null, payer text not null,
    terms {JSON} not null, at {BIGINT} not null
  ) {STRICT}`,
  'create index learned_request_offering on learned_request (agent_key, offering_id, at)',
  'create index learned_request_payer on learned_request (payer)',
  // Users from whose requests nothing is learned.
  'create table learning_refusal (wallet text primary key, at {BIGINT} not null) {STRICT}',
]
