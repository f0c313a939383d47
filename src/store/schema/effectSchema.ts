export const effects = [
  `create table intent (
    seq {IDENTITY}, key text not null unique, chain_id {BIGINT} not null, sender text not null, call {JSON} not null,
    "after" text references intent (key),
    state text not null check (state in ('waiting', 'sent', 'confirmed', 'reverted')),
    nonce {BIGINT}, hash text, created_at {BIGINT} not null
  ) {STRICT}`,
  `create index intent_waiting on intent (chain_id, sender, seq) where state = 'waiting'`,
  `create index intent_sent on intent (chain_id, sender, nonce) where state = 'sent'`,
  `create index intent_after on intent ("after") where state = 'waiting'`,
  // Written before the broadcast. Several transactions of one intent have the same nonce.
  `create table chain_transaction (
    hash text primary key, intent_seq {BIGINT} not null references intent (seq), chain_id {BIGINT} not null,
    sender text not null, nonce {BIGINT} not null, raw text not null, signed_at {BIGINT} not null,
    block_number {BIGINT}, block_time {BIGINT}, block_index {BIGINT}
  ) {STRICT}`,
  'create index chain_transaction_intent on chain_transaction (intent_seq)',
  'create index chain_transaction_mined on chain_transaction (chain_id, block_number, block_index)',
  `create table nonce (
    chain_id {BIGINT} not null, sender text not null, next {BIGINT} not null, primary key (chain_id, sender)
  ) {STRICT}`,
  'create table chain_cursor (chain_id {BIGINT} primary key, number {BIGINT} not null, hash text not null) {STRICT}',

  `create table outbox (
    seq {IDENTITY}, topic text not null, key text not null, payload {JSON} not null, attempts {BIGINT} not null default 0,
    held_until {BIGINT}, done_at {BIGINT}, created_at {BIGINT} not null, unique (topic, key)
  ) {STRICT}`,
  'create index outbox_due on outbox (topic, seq) where done_at is null',

  // Double entry, append-only: the entries of a posting sum to zero.
  `create table posting (
    seq {IDENTITY}, key text not null unique, chain_id {BIGINT} not null, job_id text, run_id text, tx_hash text, at {BIGINT} not null
  ) {STRICT}`,
  'create index posting_run on posting (run_id)',
  'create index posting_job on posting (job_id)',
  `create table ledger_entry (
    posting_key text not null references posting (key), place {BIGINT} not null, account text not null, amount text not null,
    primary key (posting_key, place)
  ) {STRICT}`,
  'create index ledger_entry_account on ledger_entry (account)',

  `create table idempotency (
    scope text not null, key text not null, request_hash text not null, answer {JSON}, at {BIGINT} not null,
    primary key (scope, key)
  ) {STRICT}`,
]

export const sending = [
  // The process that sends for a wallet, its lease by the database's clock, and the reason for a pause.
  `create table sender (
    chain_id {BIGINT} not null, address text not null, holder text not null, held_until {BIGINT},
    note text not null default '', primary key (chain_id, address)
  ) {STRICT}`,
  // Number of failed preflights at different heads, and the reason for giving up an intent.
  'alter table intent add column doubts {BIGINT} not null default 0',
  'alter table intent add column doubt_head {BIGINT}',
  'alter table intent add column doubt_at {BIGINT}',
  `alter table intent add column reason text not null default ''`,
  // Retired: the nonce was used by another transaction, or its intent failed before the transaction was mined.
  'alter table chain_transaction add column retired {BIGINT} not null default 0 check (retired in (0, 1))',
  'create index chain_transaction_nonce on chain_transaction (chain_id, sender, nonce)',

  // Append-only: every signature of a custodial key, written before it is made.
  `create table signature (
    seq {IDENTITY}, at {BIGINT} not null, wallet text not null, role text not null, chain_id {BIGINT} not null,
    kind text not null check (kind in ('transaction', 'typed-data', 'text')), contract text, selector text not null,
    amount text not null, run_id text, terms_digest text, digest text not null
  ) {STRICT}`,
  'create index signature_wallet on signature (wallet, seq)',
  'create index signature_spending on signature (wallet, chain_id, at) where run_id is not null',
]

export const watching = [
  // Every processed escrow event. `place` is its index within its transaction, so the event of a transaction that is mined
  // again in another block is recognised.
  `create table chain_event (
    seq {IDENTITY}, chain_id {BIGINT} not null, block_number {BIGINT} not null, block_hash text not null, tx_hash text not null,
    place {BIGINT} not null, name text not null, chain_job_id text not null, payload {JSON} not null,
    unique (chain_id, tx_hash, place)
  ) {STRICT}`,
  'create index chain_event_block on chain_event (chain_id, block_number)',
  // Blocks that the cursor has visited, for finding the common ancestor after a reorganisation.
  `create table chain_block (
    chain_id {BIGINT} not null, number {BIGINT} not null, hash text not null, primary key (chain_id, number)
  ) {STRICT}`,
  'insert into chain_block (chain_id, number, hash) select chain_id, number, hash from chain_cursor',
  // The on-chain job that the call names, while the funding of that job is reverted. Until it is funded again, the call is not
  // sent.
  'alter table intent add column held text',
  `create index job_open on job (expires_at) where state not in ('settled', 'refunded', 'cancelled')`,
]
