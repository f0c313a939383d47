/** Accounts that a passkey opens (WebAuthn), their recovery codes as SHA-256 hashes, and signatures beside the yes. */
export const passkeys = [
  `create table passkey (
    id text primary key, wallet text not null, public_key text not null, counter {BIGINT} not null, name text not null,
    created_at {BIGINT} not null, used_at {BIGINT} not null
  ) {STRICT}`,
  'create index passkey_wallet on passkey (wallet, created_at)',
  'create table passkey_recovery (wallet text primary key, hash text not null unique, at {BIGINT} not null) {STRICT}',
  `create table passkey_proof (
    answer text primary key, digest text not null, wallet text not null, passkey_id text not null, public_key text not null,
    operation text not null, terms text not null, created_at {BIGINT} not null
  ) {STRICT}`,
  'create index passkey_proof_wallet on passkey_proof (wallet, created_at)',
]
