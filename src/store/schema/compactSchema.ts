// `unhex` of SQLite ignores the characters of its second argument, and `decode` of PostgreSQL takes it as the format.
const bytesOf = (column: string) => `{UNHEX}(substr(${column}, 3), 'hex')`

/** Replaces a text column of hex digits by one of bytes, which takes half of the space. */
const toBytes = (column: string): string[] => [
  `alter table signature add column packed {BLOB}`,
  `update signature set packed = ${bytesOf(column)}`,
  `alter table signature drop column ${column}`,
  `alter table signature rename column packed to ${column}`,
]

/** Removes what nothing reads of finished hires, and stores the addresses and digests of signatures as bytes. */
export const compact = [
  // Requests that search has learned from, and index changes that a later one of the same agent covers.
  `delete from outbox where topic = 'learn' and done_at is not null`,
  `delete from outbox where topic = 'index' and (mark is null or (payload, mark) not in
    (select payload, max(mark) from outbox where topic = 'index' group by payload))`,
  'drop index signature_wallet',
  'drop index signature_spending',
  ...['wallet', 'contract', 'digest'].flatMap(toBytes),
  'create index signature_wallet on signature (wallet, seq)',
  'create index signature_spending on signature (wallet, chain_id, at) where run_id is not null',
]
