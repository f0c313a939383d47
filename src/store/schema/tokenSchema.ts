/**
 * Agent tokens. `token`, `token_trade` and `token_fee` are read from the chain and can be read again. A trade order becomes the
 * intent `trade:<id>`, a launch order the intent `launch:<id>`.
 */
export const tokens = [
  `create table token_cursor (chain_id {BIGINT} primary key, number {BIGINT} not null, hash text not null) {STRICT}`,
  `create table token (
    seq {IDENTITY}, chain_id {BIGINT} not null, token text not null, agent_id text not null unique, creator text not null,
    reserve_kind text not null, name text not null, symbol text not null, virtual_reserve text not null,
    fee_bps {BIGINT} not null, tx_hash text not null, block_number {BIGINT} not null, block_hash text not null,
    at {BIGINT} not null, unique (chain_id, token)
  ) {STRICT}`,
  `create table token_trade (
    seq {IDENTITY}, chain_id {BIGINT} not null, token text not null, trader text not null, side text not null,
    tokens text not null, amount text not null, fee text not null, reserve text not null, held text not null,
    price text not null, tx_hash text not null, block_number {BIGINT} not null, block_hash text not null,
    place {BIGINT} not null, at {BIGINT} not null, unique (chain_id, tx_hash, place)
  ) {STRICT}`,
  'create index token_trade_token on token_trade (chain_id, token, seq)',
  'create index token_trade_trader on token_trade (chain_id, trader)',
  'create index token_trade_block on token_trade (chain_id, block_number)',
  `create table token_fee (
    seq {IDENTITY}, chain_id {BIGINT} not null, token text not null, receiver text not null, amount text not null,
    tx_hash text not null, block_number {BIGINT} not null, block_hash text not null, place {BIGINT} not null,
    at {BIGINT} not null, unique (chain_id, tx_hash, place)
  ) {STRICT}`,
  `create table launch_order (
    seq {IDENTITY}, id text not null unique, agent_key text not null, chain_id {BIGINT} not null, reserve_kind text not null, name text not null,
    symbol text not null, created_at {BIGINT} not null
  ) {STRICT}`,
  'create index launch_order_agent on launch_order (agent_key, seq)',
  `create table trade_order (
    seq {IDENTITY}, id text not null unique, "user" text not null, chain_id {BIGINT} not null,
    wallet text not null references wallet (address), token text not null, side text not null, asset text not null,
    amount_in text not null, least_out text not null, deadline {BIGINT} not null, expected_out text not null,
    fee text not null, digest text not null, created_at {BIGINT} not null, agreed_at {BIGINT}, unique ("user", digest)
  ) {STRICT}`,
  'create index trade_order_user on trade_order ("user", seq)',
  'create index trade_order_wallet on trade_order (wallet, chain_id) where agreed_at is not null',
]

/** The price of a trade is computed from `reserve` and `held`, because atomic units are too coarse for it. */
export const computedPrices = ['alter table token_trade drop column price']
