/** Accounts that an e-mailed link opens, and the links that were sent lately. Addresses are keyed hashes. */
export const emails = [
  'create table email_account (email text primary key, wallet text not null, created_at {BIGINT} not null) {STRICT}',
  'create table email_link (seq {IDENTITY}, email text not null, at {BIGINT} not null) {STRICT}',
]
