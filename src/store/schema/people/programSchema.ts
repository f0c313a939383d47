/** Programs that a user let act in their name (OAuth 2.1). Codes and refresh tokens are stored as SHA-256 hashes. */
export const programs = [
  `create table program_grant (
    id text primary key, wallet text not null, client_id text not null, client_name text not null, redirect_uri text not null,
    scopes text not null, resource text not null,
    code_hash text, code_challenge text not null, code_until {BIGINT} not null,
    refresh_hash text, refresh_until {BIGINT} not null,
    created_at {BIGINT} not null, used_at {BIGINT} not null, ended_at {BIGINT}
  ) {STRICT}`,
  'create index program_grant_wallet on program_grant (wallet, created_at)',
]
