import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { unpackEvents } from '../sim/books.ts'
import { openLedgers } from './ledgers.ts'

/** Ways to falsify the database of a market that has settled a hire, each with the invariant that it breaks. */
export const cookings: [breaks: string, sql: string][] = [
  ['I1', `delete from ledger_entry where account like 'wallet:%' and amount not like '-%'`],
  ['I2', `update job set state = 'refunded'`],
  ['I3', `update job set state = 'settling'`],
  ['I4', `delete from run_event where kind = 'job.escrowed'`],
  ['I6', `update run_event set kind = 'declined' where kind = 'confirmed'`],
  ['I6', `update job set mandate_id = 'none'`],
  ['I15', `update job set feedback = replace(feedback, '"value":100', '"value":0')`],
  [
    'I9',
    `update chain_transaction set nonce = nonce + 1 where intent_seq in (select seq from intent where key like '%:complete')`,
  ],
  ['I9', `update chain_transaction set hash = '0x' where intent_seq in (select seq from intent where key like '%:hire')`],
  ['I10', `update run set last_seq = last_seq + 1`],
  ['I10', `update run_event set kind = 'answer', key = null where kind in ('searched', 'chosen')`],
]

/** Copies a database and falsifies the copy. */
export const cook = (dir: string, sql: string) => {
  const file = join(dir, `cooked${performance.now()}.db`)
  const original = new DatabaseSync(join(dir, 'market.db'), { readOnly: true })
  original.prepare('vacuum into ?').run(file)
  original.close()
  const copy = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  unpackEvents(copy)
  copy.exec(sql)
  copy.close()
  return openLedgers(file)
}
