/**
 * Stores the rows of a finished hire in less space. Packed columns contain texts as `engine/packed.ts` packs them. `events` holds
 * the events of a run that has reported the end of its job.
 */
export const packed = [
  'alter table intent add column packed {BLOB}',
  `update intent set packed = cast('0' || call as {BLOB})`,
  'alter table intent drop column call',
  'alter table intent rename column packed to call',
  'alter table chain_transaction add column packed {BLOB}',
  `update chain_transaction set packed = cast('0' || raw as {BLOB})`,
  'alter table chain_transaction drop column raw',
  'alter table chain_transaction rename column packed to raw',
  // The name, the job and the place of an event are columns, and nothing reads the rest.
  'alter table chain_event drop column payload',
  // Its columns are those of message_user in another order, and every reader of a conversation names the user.
  'drop index message_conversation',
  'alter table run add column events {BLOB}',
]
