/**
 * Outside addresses to which accounts withdraw, what was told to the owners of accounts, and the limit above which a yes needs a
 * passkey. `recipient` is empty where a withdrawal goes to the wallet that signs in.
 */
export const accounts = [
  `create table withdrawal_address (
    seq {IDENTITY}, id text not null unique, "user" text not null, chain_id {BIGINT} not null, address text not null,
    name text not null, created_at {BIGINT} not null, usable_at {BIGINT} not null, removed_at {BIGINT}
  ) {STRICT}`,
  'create unique index withdrawal_address_active on withdrawal_address ("user", chain_id, address) where removed_at is null',
  'create index withdrawal_address_user on withdrawal_address ("user", seq)',
  'alter table withdrawal add column recipient text',
  `create table account_event (
    seq {IDENTITY}, wallet text not null, kind text not null, text text not null, created_at {BIGINT} not null
  ) {STRICT}`,
  'create index account_event_wallet on account_event (wallet, seq)',
  'create table yes_limit (wallet text primary key, usdc text not null, at {BIGINT} not null) {STRICT}',
]
