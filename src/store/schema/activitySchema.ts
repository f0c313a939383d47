/**
 * Transfers of USDC that paid or charged custodial wallets, one row a wallet. They are read from the chain and can be read
 * again. `amount` is negative where the wallet paid.
 */
export const activity = [
  'create table transfer_cursor (chain_id {BIGINT} primary key, number {BIGINT} not null, hash text not null) {STRICT}',
  `create table usdc_transfer (
    seq {IDENTITY}, chain_id {BIGINT} not null, wallet text not null, other text not null, amount text not null,
    tx_hash text not null, block_number {BIGINT} not null, block_hash text not null, log_index {BIGINT} not null,
    at {BIGINT} not null, unique (chain_id, wallet, block_number, log_index)
  ) {STRICT}`,
  'create index usdc_transfer_wallet on usdc_transfer (wallet, seq)',
  'create index usdc_transfer_block on usdc_transfer (chain_id, block_number)',
  'create index posting_transaction on posting (tx_hash)',
]
