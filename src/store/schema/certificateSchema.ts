/** Certificates of offerings whose test jobs passed. Each replaces the one before it. */
export const certificates = [
  `create table certificate (
    agent_id text not null, offering_id text not null, offering_version {BIGINT} not null, cases {BIGINT} not null,
    signer text not null, text text not null, signature text not null, issued_at {BIGINT} not null, expires_at {BIGINT} not null,
    primary key (agent_id, offering_id)
  ) {STRICT}`,
]
