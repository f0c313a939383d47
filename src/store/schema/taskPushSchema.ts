/** Addresses that are told of tasks (A2A). `sealed`: the token or credentials that the receiver expects. */
export const taskPushes = [
  `create table task_push (
    id text not null, run_id text not null references run (id), wallet text not null, url text not null, sealed text not null,
    version text not null, told_seq {BIGINT} not null, tries {BIGINT} not null default 0, due_at {BIGINT} not null default 0,
    created_at {BIGINT} not null, primary key (run_id, id)
  ) {STRICT}`,
  'create index task_push_wallet on task_push (wallet)',
]
