/** Purchases by x402. The id is that of their run. An authorization is stored before it is signed. */
export const purchases = [
  `create table purchase (
    seq {IDENTITY}, id text not null unique, "user" text not null, wallet text not null references wallet (address),
    chain_id {BIGINT} not null, method text not null, url text not null, body text,
    asset text not null, pay_to text not null, amount text not null, timeout_s {BIGINT} not null,
    version {BIGINT} not null, requirement {JSON} not null, resource {JSON}, description text not null, digest text not null,
    state text not null default 'proposed' check (state in ('proposed', 'declined', 'paying', 'paid', 'unpaid')),
    mandate_id text, nonce text, valid_before {BIGINT}, status {BIGINT}, content_type text, content text, hash text,
    reason text not null default '', tries {BIGINT} not null default 0, due_at {BIGINT},
    created_at {BIGINT} not null, agreed_at {BIGINT},
    unique (wallet, nonce), check (state in ('proposed', 'declined') or (nonce is not null and agreed_at is not null))
  ) {STRICT}`,
  'create index purchase_user on purchase ("user", seq)',
  'create index purchase_wallet on purchase (wallet, chain_id) where due_at is not null',
  'create index purchase_due on purchase (due_at) where due_at is not null',
]

/** Whether the butler proposed the purchase in a conversation, so that its run exists before the yes. */
export const purchasesByButler = ['alter table purchase add column is_by_butler {BIGINT} not null default 0']

/** Long answers in parts. `partial_status` is that of an answer that ended early. */
export const answerParts = [
  'alter table purchase add column answer_bytes {BIGINT}',
  'alter table purchase add column answer_ending text',
  'alter table purchase add column answer_parts {BIGINT} not null default 0',
  'alter table purchase add column partial_status {BIGINT}',
  'create index purchase_stored on purchase (answer_bytes) where answer_parts > 0',
  `create table answer_part (
    purchase_id text not null references purchase (id), at {BIGINT} not null, body {BLOB} not null, created_at {BIGINT} not null,
    primary key (purchase_id, at)
  ) {STRICT}`,
  'create index answer_part_age on answer_part (created_at)',
]

/** What the seller took of a payment in the scheme `upto`, as the chain shows it. */
export const takenOfPurchase = ['alter table purchase add column taken text']

/** The seller's extensions, which are sent back with the payment. */
export const echoedExtensions = ['alter table purchase add column extensions {JSON}']
