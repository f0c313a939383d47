/**
 * Verdicts for the validation registry. Their transactions belong to the intents `job:<id>:validation-request` and `-response`.
 */
export const validations = [
  `create table validation (
    seq {IDENTITY}, job_id text not null unique references job (id), agent_id text not null, agent_wallet text not null,
    request_hash text not null, response {BIGINT} not null check (response between 0 and 100), file text not null,
    created_at {BIGINT} not null
  ) {STRICT}`,
  'create index validation_agent on validation (agent_id, seq)',
]
