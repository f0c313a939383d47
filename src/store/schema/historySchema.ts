/** The steps of runs as compressed JSON. `bytes` is the length of the JSON text. */
export const histories = [
  `create table run_step (
    seq {IDENTITY}, run_id text not null references run (id), step {BIGINT} not null, calls {BIGINT} not null,
    bytes {BIGINT} not null, body {BLOB} not null, at {BIGINT} not null,
    unique (run_id, step)
  ) {STRICT}`,
  'create index run_step_at on run_step (at)',
]
