/** Calls paid by x402. The settlement belongs to the intent `x402:<id>`, the work to the job. */
export const paidCalls = [
  `create table paid_call (
    seq {IDENTITY}, id text not null unique, chain_id {BIGINT} not null, payer text not null, asset text not null,
    nonce text not null, amount text not null, pay_to text not null, request_hash text not null,
    job_id text not null unique references job (id), run_id text not null references run (id), valid_until {BIGINT} not null,
    sender text not null, settlement {JSON} not null, created_at {BIGINT} not null,
    unique (chain_id, asset, payer, nonce)
  ) {STRICT}`,
  'create index paid_call_payer on paid_call (payer, chain_id, valid_until)',
  'create index paid_call_valid on paid_call (valid_until)',
]

/** What is taken of a payment in the scheme `upto`, once its work was accepted. */
export const takenOfCall = ['alter table paid_call add column taken text']

/**
 * What the facilitator of a chain is asked for, and since when: from the acceptance of the work until this service has decided
 * the settlement by the chain, or sends it by itself.
 */
export const facilitated = [
  'alter table paid_call add column facilitation {JSON}',
  'alter table paid_call add column deferred_at {BIGINT}',
  'create index paid_call_deferred on paid_call (chain_id, deferred_at) where deferred_at is not null',
]
