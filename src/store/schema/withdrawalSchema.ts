/** Withdrawals from custodial wallets by their owners. The transaction belongs to the intent `withdraw:<id>`. */
export const withdrawals = [
  `create table withdrawal (
    seq {IDENTITY}, id text not null unique, "user" text not null, chain_id {BIGINT} not null, decimals {BIGINT} not null,
    wallet text not null references wallet (address), amount text not null, created_at {BIGINT} not null
  ) {STRICT}`,
  'create index withdrawal_user on withdrawal ("user", seq)',
  'create index withdrawal_wallet on withdrawal (wallet, seq)',
]
