/** Withdrawals from custodial wallets by their owners. The transaction belongs to the intent `withdraw:<id>`. */
export const withdrawals = [
  `create table withdrawal (
    seq {IDENTITY}, id text not null unique, "user" text not null, chain_id {BIGINT} not null, decimals {BIGINT} not null,
    wallet text not null references wallet (address), amount text not null, created_at {BIGINT} not null
  ) {STRICT}`,
  'create index withdrawal_user on withdrawal ("user", seq)',
  'create index withdrawal_wallet on withdrawal (wallet, seq)',
]

/** What is withdrawn: `usdc`, `wrapped`, `coin`, or the address of an agent's token. */
export const withdrawnAssets = [`alter table withdrawal add column asset text not null default 'usdc'`]
