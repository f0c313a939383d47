export const access = [
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
