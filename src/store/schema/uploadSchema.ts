/**
 * Uploads that come in parts. Each part is kept in the vault under an id of its own, until all are there and become one file. The
 * index counts the bytes of all files.
 */
export const uploads = [
  `create table file_upload (
    id text primary key, owner text not null, job_id text, name text not null, declared_type text, bytes {BIGINT} not null,
    file_id text, created_at {BIGINT} not null, expires_at {BIGINT} not null
  ) {STRICT}`,
  'create index file_upload_owner on file_upload (owner)',
  'create index file_upload_expires on file_upload (expires_at)',
  `create table file_part (
    upload_id text not null references file_upload (id), start {BIGINT} not null, id text not null unique,
    bytes {BIGINT} not null, sealed text not null, primary key (upload_id, start)
  ) {STRICT}`,
  'create index file_bytes on file (bytes)',
]
