import { judging, keptDeliverable } from './judgingSchema.ts'
import { learning } from './learningSchema.ts'
import { lists } from './listSchema.ts'
import { mandates } from './mandateSchema.ts'
import { paidCalls } from './paidCallSchema.ts'
import { purchases } from './purchaseSchema.ts'
import { testJobs } from './testJobSchema.ts'
import { turns } from './turnSchema.ts'
import { withdrawals } from './withdrawalSchema.ts'

/** A migration. `statements` contain fragments. A released migration is never edited, because its checksum is stored. */
export type Migration = { version: number; statements: string[] }

const market = [
  `create table agent (
    seq {IDENTITY}, key text not null unique, id text unique, chain_id {BIGINT} not null, handle text not null,
    owner text not null, wallet text not null, name text not null, description text not null,
    endpoint_url text, via_gateway {BIGINT} not null check (via_gateway in (0, 1)), card {JSON} not null,
    revision {BIGINT} not null default 0, created_at {BIGINT} not null, updated_at {BIGINT} not null,
    unique (chain_id, handle), check (handle not like '%:%')
  ) {STRICT}`,
  'create index agent_handle on agent (handle)',
  // Two handles that differ only in letter case could be mistaken for each other.
  'create unique index agent_handle_any_case on agent (chain_id, lower(handle))',
  'create index agent_owner on agent (owner, seq)',

  // A removed offering keeps its row, so that its version continues when it returns.
  `create table offering (
    agent_key text not null references agent (key), id text not null, version {BIGINT} not null,
    body {JSON} not null, place {BIGINT} not null, removed {BIGINT} not null default 0 check (removed in (0, 1)),
    primary key (agent_key, id)
  ) {STRICT}`,

  `create table wallet (
    address text primary key, role text not null, owner text not null, sealed_key text not null,
    unique (role, owner)
  ) {STRICT}`,
  'create table secret (name text primary key, sealed text not null) {STRICT}',

  `create table message (
    seq {IDENTITY}, conversation_id text not null, "user" text not null,
    role text not null check (role in ('user', 'agent')), content text not null, run_id text, at {BIGINT} not null
  ) {STRICT}`,
  'create index message_conversation on message (conversation_id, "user", seq)',
]

const runs = [
  // wake_at: when the run was woken; holds: number of leases so far, which identifies the current lease.
  `create table run (
    seq {IDENTITY}, id text not null unique, conversation_id text not null, "user" text not null, chain_id {BIGINT} not null,
    task text not null, state text not null check (state in
      ('working', 'awaiting-input', 'awaiting-confirmation', 'awaiting-job', 'completed', 'failed')),
    interrupt_id text, answer text not null, proposal {JSON}, job_id text,
    last_seq {BIGINT} not null default 0, wake_at {BIGINT}, holds {BIGINT} not null default 0, held_until {BIGINT},
    created_at {BIGINT} not null, updated_at {BIGINT} not null
  ) {STRICT}`,
  'create index run_user on run ("user", seq)',
  'create index run_conversation on run (conversation_id, seq)',
  'create index run_woken on run (wake_at) where wake_at is not null',
  'create index run_held on run (held_until) where held_until is not null',

  `create table run_input (
    run_id text not null references run (id), interrupt_id text not null, input {JSON} not null, at {BIGINT} not null,
    primary key (run_id, interrupt_id)
  ) {STRICT}`,
  `create table run_event (
    run_id text not null references run (id), seq {BIGINT} not null, kind text not null, summary text not null,
    data {JSON} not null, key text, at {BIGINT} not null,
    primary key (run_id, seq), unique (run_id, key)
  ) {STRICT}`,

  // attempt: number of deliveries, counted before the work. It never decreases and is the fencing token of a lease.
  `create table job (
    seq {IDENTITY}, id text not null unique, run_id text not null unique references run (id), agent_id text not null,
    agent_wallet text not null, chain_id {BIGINT} not null, "user" text not null, user_wallet text not null,
    terms {JSON} not null, offering {JSON} not null, budget text not null, fee text not null,
    pickup_by {BIGINT} not null, lease_ms {BIGINT} not null, submit_by {BIGINT} not null, evaluate_by {BIGINT} not null,
    expires_at {BIGINT} not null,
    state text not null check (state in ('open', 'escrowed', 'queued', 'leased', 'submitted', 'settling', 'rejected', 'expired',
      'settled', 'refunded', 'cancelled')),
    chain_job_id text, attempt {BIGINT} not null default 0, lease_until {BIGINT}, deliverable text, reason text not null default '',
    created_at {BIGINT} not null, updated_at {BIGINT} not null,
    unique (chain_id, chain_job_id), check ((state = 'leased') = (lease_until is not null))
  ) {STRICT}`,
  // Only partial indexes on states, with equality columns first: SQLite plans without statistics and would scan the whole
  // history.
  `create index job_ready on job (agent_id, state, seq) where state = 'queued'`,
  `create index job_worn on job (attempt) where state = 'queued'`,
  `create index job_lease on job (lease_until) where state = 'leased'`,
  `create index job_promise on job (submit_by) where state in ('escrowed', 'queued', 'leased')`,
  'create index job_agent on job (agent_id, seq)',
  'create index job_user on job ("user", seq)',
]

const effects = [
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

const checkpoints = [
  `create table checkpoint (
    thread_id text not null, namespace text not null, id text not null, parent_id text,
    type text not null, body {BLOB} not null, metadata_type text not null, metadata {BLOB} not null,
    primary key (thread_id, namespace, id)
  ) {STRICT}`,
  `create table checkpoint_write (
    thread_id text not null, namespace text not null, checkpoint_id text not null, task_id text not null, place {BIGINT} not null,
    channel text not null, type text not null, body {BLOB} not null,
    primary key (thread_id, namespace, checkpoint_id, task_id, place)
  ) {STRICT}`,
]

const sending = [
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

const watching = [
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

const access = [
  // Token signing keys. The highest number signs; older keys verify until their tokens have expired.
  `create table token_key (
    number {BIGINT} primary key, kid text not null unique, public_jwk {JSON} not null, sealed text not null, made_at {BIGINT} not null
  ) {STRICT}`,
  // subject: token:<jti> or user:<wallet>; before: tokens issued up to this epoch second are revoked; until: when all have
  // expired.
  `create table revocation (
    subject text primary key, before {BIGINT} not null, until {BIGINT} not null, at {BIGINT} not null
  ) {STRICT}`,
  'create index revocation_at on revocation (at)',
  // Used codes, by hash. An expired code is refused without reading this table.
  `create table spent_code (
    code text primary key, wallet text not null, claimable {BIGINT} not null check (claimable in (0, 1)), until {BIGINT} not null
  ) {STRICT}`,
  'create index spent_code_until on spent_code (until)',

  // closed: the wallet has signed a fresh challenge, so a bare signature no longer registers agents; open: its owner allows it.
  `create table key_mode (
    wallet text primary key, state text not null check (state in ('fresh', 'closed', 'open')), at {BIGINT} not null
  ) {STRICT}`,
  // Agents registered by a bare signature; unverified until confirmed_at.
  `create table key_registration (
    agent_key text primary key references agent (key), wallet text not null, source text, at {BIGINT} not null, confirmed_at {BIGINT}
  ) {STRICT}`,
  'create index key_registration_wallet on key_registration (wallet, at)',
  'create index key_registration_source on key_registration (source, at) where source is not null',
]

const records = [
  // The price of a direct call to the agent; its offerings have their own prices.
  `alter table agent add column call_price text not null default '0'`,
  'alter table agent add column retired {BIGINT} not null default 0 check (retired in (0, 1))',
  'alter table run add column target text',
  `create table agent_group (
    seq {IDENTITY}, id text not null unique, owner text, name text not null, display_name text not null, members {JSON} not null,
    price text not null, metadata {JSON} not null, created_at {BIGINT} not null
  ) {STRICT}`,
  `create table butler (
    wallet text not null, chain_id {BIGINT} not null, handle text not null, created_at {BIGINT} not null,
    primary key (wallet, chain_id)
  ) {STRICT}`,
  `create table posted_job (
    seq {IDENTITY}, id text not null unique, chain_id {BIGINT} not null,
    state text not null check (state in ('open', 'accepted', 'submitted', 'completed', 'rejected')),
    description text not null, reward_amount text not null, reward_token text not null,
    client_id text not null, client_key text not null, is_proven {BIGINT} not null check (is_proven in (0, 1)),
    provider_id text not null, provider_key text not null, evaluator_id text not null, evaluator_key text not null,
    metadata {JSON} not null, deliverable {JSON}, reason text not null, expires_at {BIGINT} not null,
    created_at {BIGINT} not null, updated_at {BIGINT} not null
  ) {STRICT}`,
  'create index posted_job_client on posted_job (client_key, seq)',
  'create index posted_job_provider on posted_job (provider_key, seq)',
  'create index posted_job_evaluator on posted_job (evaluator_key, seq)',
  'create index message_user on message ("user", conversation_id, seq)',
]

const gateway = [
  // Only the agent knows the id; the submitter of the task knows the name.
  `create table gateway_task (
    seq {IDENTITY}, id text not null unique, name text not null unique, queue text not null, payload {JSON} not null,
    state text not null check (state in ('pending', 'working', 'completed', 'failed', 'canceled')),
    attempt {BIGINT} not null default 0, lease_until {BIGINT}, result {JSON}, error text not null default '',
    created_at {BIGINT} not null, updated_at {BIGINT} not null, check ((state = 'working') = (lease_until is not null))
  ) {STRICT}`,
  `create index gateway_task_ready on gateway_task (queue, seq) where state = 'pending'`,
  `create index gateway_task_lease on gateway_task (lease_until) where state = 'working'`,
  'create index gateway_task_age on gateway_task (updated_at)',
  `create table agent_access (
    agent_key text primary key references agent (key), is_strict {BIGINT} not null default 0 check (is_strict in (0, 1)),
    secret_hash text unique
  ) {STRICT}`,
  // adrift: a leased job whose delivery may not have reached the agent; pushes and push_after: calls to the agent's own
  // endpoint.
  'alter table job add column adrift {BIGINT} not null default 0 check (adrift in (0, 1))',
  'alter table job add column pushes {BIGINT} not null default 0',
  'alter table job add column push_after {BIGINT}',
  'create index job_adrift on job (agent_id, seq) where adrift = 1',
]

const bounds = [
  `create index run_open on run ("user", updated_at)
    where state in ('working', 'awaiting-input', 'awaiting-confirmation', 'awaiting-job')`,
]

// `revision` belongs to the search index and also grows when search learns, so it cannot serve as a version.
const versions = ['alter table agent add column version {BIGINT} not null default 1']

// The act of a message, offerings to pick from, further tasks of the message, and the preceding run of a run that started
// automatically.
const readings = [
  'alter table run add column act text',
  'alter table run add column choices {JSON}',
  'alter table run add column next_tasks {JSON}',
  'alter table run add column follows text',
  'alter table message add column act text',
]

// requeues: failures reported without a credential; keeps_open: the owner allows polling without a credential.
const pollers = [
  'alter table job add column requeues {BIGINT} not null default 0',
  'alter table agent_access add column keeps_open {BIGINT} not null default 0 check (keeps_open in (0, 1))',
]

// mark: the order in which changes of listings were committed; every process follows it (engine/db.ts, MARK and HORIZON).
const followed = [
  'alter table outbox add column mark {BIGINT}',
  `update outbox set done_at = created_at, held_until = null where topic = 'index' and done_at is null`,
  'create index outbox_mark on outbox (mark)',
]

/** All migrations, in order. */
export const migrations: Migration[] = [
  { version: 1, statements: [...market, ...runs, ...effects, ...checkpoints] },
  { version: 2, statements: sending },
  { version: 3, statements: watching },
  { version: 4, statements: access },
  { version: 5, statements: records },
  { version: 6, statements: gateway },
  { version: 7, statements: bounds },
  { version: 8, statements: learning },
  { version: 9, statements: mandates },
  { version: 10, statements: judging },
  { version: 11, statements: withdrawals },
  { version: 12, statements: keptDeliverable },
  { version: 13, statements: versions },
  { version: 14, statements: lists },
  { version: 15, statements: turns },
  { version: 16, statements: pollers },
  { version: 17, statements: readings },
  { version: 18, statements: followed },
  { version: 19, statements: paidCalls },
  { version: 20, statements: purchases },
  { version: 21, statements: testJobs },
]
