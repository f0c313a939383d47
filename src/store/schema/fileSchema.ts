/**
 * Uploaded files. Their bytes are elsewhere, encrypted with a key that `sealed` wraps. `file_use` says which jobs refer to a
 * file: as long as one does, it stays.
 */
export const files = [
  `create table file (
    seq {IDENTITY}, id text not null unique, owner text not null, job_id text,
    sha256 text not null, bytes {BIGINT} not null, media_type text not null, declared_type text, name text not null,
    sealed text not null, created_at {BIGINT} not null, expires_at {BIGINT} not null
  ) {STRICT}`,
  'create index file_owner on file (owner, seq)',
  'create index file_job on file (job_id) where job_id is not null',
  'create index file_expires on file (expires_at)',
  `create table file_use (
    file_id text not null references file (id), job_id text not null, role text not null check (role in ('input', 'deliverable')),
    primary key (file_id, job_id, role)
  ) {STRICT}`,
  'create index file_use_job on file_use (job_id, role)',
]

/** Files of an owner that belong to no job: a provider has many that do. */
export const ownFiles = ['create index file_own on file (owner, seq) where job_id is null']
