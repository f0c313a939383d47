/**
 * Resources of other services that catalogues list (x402), with the checks of each; the sentence about them that a purchase was
 * proposed with; receipts of calls that were sold; and the payees that a mandate allows. `target` is the hash of method and
 * address without its query.
 */
export const outside = [
  `create table outside_catalogue (
    url text primary key, pass {BIGINT} not null default 1, page {BIGINT} not null default 0, pages {JSON} not null default '[]',
    due_at {BIGINT} not null, tries {BIGINT} not null default 0, reason text not null default '', read_at {BIGINT}
  ) {STRICT}`,
  `create table outside_listing (
    key text primary key, catalogue text not null references outside_catalogue (url), page {BIGINT} not null, pass {BIGINT} not null,
    url text not null, target text not null, method text not null, host text not null, name text not null,
    description text not null, example {JSON}, requirement {JSON} not null, chain_id {BIGINT} not null, asset text, pay_to text,
    amount text not null, refusal text not null, fingerprint text not null, verdict text not null default '', asked text,
    recent text not null default '', probed_at {BIGINT}, alive_at {BIGINT}, due_at {BIGINT} not null, changed_at {BIGINT} not null
  ) {STRICT}`,
  'create index outside_listing_page on outside_listing (catalogue, page)',
  'create index outside_listing_target on outside_listing (target)',
  'create index outside_listing_changed on outside_listing (changed_at, key)',
  `create index outside_listing_due on outside_listing (due_at) where refusal = ''`,
  `alter table purchase add column outside text not null default ''`,
  // The signed receipt of a paid call, and the transaction that it names.
  'alter table paid_call add column receipt text',
  'alter table paid_call add column receipt_of text',
  `alter table mandate add column payees {JSON} not null default '[]'`,
]

/** The scheme in which a listed resource is paid: exactly its price, or at most that. */
export const listedSchemes = [`alter table outside_listing add column scheme text not null default 'exact'`]
