/**
 * Finds agents of other owners whose name or handle looks like a new one. `look` is `lookOf` of the name; rows before get it
 * later.
 */
export const looks = [
  `alter table agent add column look text not null default ''`,
  'create index agent_look on agent (look)',
  `create index agent_handle_key on agent (replace(folded_handle, '-', ''))`,
  'drop index agent_folded_handle',
]
