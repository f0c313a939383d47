/**
 * The score of each agent as if it was seen now, so that the ranking reads the best alone. `rating_due` counts the judgements
 * since it was computed.
 */
export const ratings = [
  'alter table agent add column top_score {REAL} not null default 0',
  'alter table agent add column rated_at {BIGINT}',
  'alter table agent add column rating_due {BIGINT} not null default 0',
  `update agent set rating_due = 1
    where exists (select 1 from job j where j.agent_id = agent.id and j.outcome is not null and j."user" <> agent.owner)`,
  'create index agent_top_score on agent (top_score desc, id, chain_id) where rated_at is not null and retired = 0',
  'create index agent_rating_due on agent (seq) where rating_due > 0',
  'create index agent_rated on agent (rated_at) where rated_at is not null',
]
