import { type BookRow, textOf } from './books.ts'
import { usesOn } from './chain/payments.ts'
import type { World } from './world.ts'

const calls = `select p.id, p.job_id, p.run_id, p.chain_id, p.payer, p.pay_to, p.nonce, coalesce(p.taken, p.amount) as amount, j.state,
  (select count(*) from posting r where r.key like 'x402:' || p.id || ':payout%:reversed') as reversals from paid_call p
  join job j on j.id = p.job_id join intent i on i.key = 'x402:' || p.id`

const elsewhere = `0x${'ef'.repeat(32)}`

/** A write of the database, behind the back of the service. */
export type Statement = [sql: string, params: (string | number)[]]

/** A failed call as a service would keep it that took a used nonce for a payment. */
const toUntrue = ({ id, payer, pay_to, amount, ...of }: BookRow): Statement[] => {
  const [job, run] = [textOf(of.job_id), textOf(of.run_id)]
  const key = `x402:${id}:payout${of.reversals === 0 ? '' : `:${Number(of.reversals) + 1}`}`
  const entry = 'insert into ledger_entry (posting_key, place, account, amount) values ($1, $2, $3, $4)'
  return [
    [`update job set state = 'settled' where id = $1`, [job]],
    [
      'insert into posting (key, chain_id, job_id, run_id, tx_hash, at) values ($1, $2, $3, $4, $5, 1)',
      [key, Number(of.chain_id), job, run, elsewhere],
    ],
    [entry, [key, 0, `wallet:${payer}`, `-${amount}`]],
    [entry, [key, 1, `wallet:${pay_to}`, textOf(amount)]],
  ]
}

/** A settled call whose posting names a transaction that paid nothing. */
const toMisnamed = ({ id }: BookRow): Statement[] => [
  [
    `update posting set tx_hash = $2 where key like 'x402:' || $1 || ':payout%' and key not like '%:reversed'`,
    [textOf(id), elsewhere],
  ],
]

/**
 * Changes the books into those of a service that never looked at receipts: calls whose nonce was used for something else are settled, and
 * others name a wrong transaction. Reading the chain again must repair both.
 */
export const falsifyCalls = async (world: World): Promise<void> => {
  // Permit2 does not show for what else a nonce was used, so such a call stays as it is.
  const used = new Set(usesOn(world.ground.chain).flatMap(it => (it.isPermit ? [] : [`${it.from},${it.nonce}`])))
  const rows = world.books.all(calls).filter(it => used.has(`${it.payer},${it.nonce}`))
  const wrong = rows.flatMap(it => (it.state === 'settled' ? toMisnamed(it) : it.state === 'refunded' ? toUntrue(it) : []))
  await world.process.falsify(wrong)
}
