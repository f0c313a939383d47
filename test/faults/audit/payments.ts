import type { Authorization } from '../../../src/domain/x402/x402.ts'
import { type BookRow, type Books, textOf } from '../sim/books.ts'
import { unless } from '../sim/invariants/unless.ts'
import type { ChainView, Moved } from './chainView.ts'

/** What a payer was told about a call that it signed a payment for. */
export type Claim = { signed: Pick<Authorization, 'from' | 'to' | 'value' | 'nonce'>; hasWork: boolean }

type Paying = { from: unknown; to: unknown; value: unknown; nonce: unknown }
/** Everything that makes a payment this one. A used nonce alone proves nothing. */
const toKey = ({ from, to, value, nonce }: Paying): string => [from, to, value, nonce].map(String).join()

const keyOfRow = ({ payer, pay_to, amount, nonce }: BookRow): string => toKey({ from: payer, to: pay_to, value: amount, nonce })

const calls = `select p.id, p.payer, p.pay_to, coalesce(p.taken, p.amount) as amount, p.nonce, j.state from paid_call p join job j on j.id = p.job_id`
const purchases = `select id, wallet as payer, pay_to, coalesce(taken, amount) as amount, nonce, state from purchase where nonce is not null`

/** Transfers that the ledger must have: those of delivered calls and of purchases. */
export const dueTransfers = ({ all }: Pick<Books, 'all'>): ReadonlySet<string> =>
  new Set([...all(`${calls} where j.state = 'settled'`).map(keyOfRow), ...all(`${purchases} and state = 'paid'`).map(keyOfRow)])

/** Whether a transfer was made with the nonce of one of these payments, and with all its terms. */
export const isAmong = (payments: ReadonlySet<string>, { from, to, value, nonce }: Moved): boolean =>
  nonce !== undefined && payments.has(toKey({ from, to, value, nonce }))

const standing = `select p.key, p.tx_hash, e.account, e.amount from posting p join ledger_entry e on e.posting_key = p.key
  where p.key like 'x402:%' and p.key not like '%:reversed' and e.amount like '-%'
  and not exists (select 1 from posting r where r.key = p.key || ':reversed')`

/** I15: calls and purchases are paid by the token's account, receipts name what paid them, and nobody has work without paying. */
export const checkPayments = (
  { all }: Pick<Books, 'all'>,
  { moved }: Pick<ChainView, 'moved'>,
  claims: readonly Claim[],
): string[] => {
  const made = new Map(moved.flatMap(it => (it.nonce === undefined ? [] : [[toKey({ ...it }), it.txHash] as const])))
  // In the scheme `upto`, any part of what was signed is a charge.
  const charged = new Set(moved.flatMap(it => (it.isByUse ? [`${it.from},${it.nonce}`] : [])))
  const isFree = (it: BookRow) => !charged.has(`${it.payer},${it.nonce}`)
  const hasMoved = (hash: unknown, account: unknown, amount: unknown) =>
    moved.some(it => it.txHash === hash && `wallet:${it.from}` === account && `-${it.value}` === amount)
  return [
    ...all(calls).flatMap(it =>
      unless(
        it.state === 'settled' ? made.has(keyOfRow(it)) || it.amount === '0' : !made.has(keyOfRow(it)) && isFree(it),
        `I15 paid call ${it.id} is ${it.state}, the token differs`,
      ),
    ),
    ...all(purchases).flatMap(it =>
      // A purchase that is still followed may have been charged.
      unless(
        it.state === 'paying' || (it.state === 'paid' ? made.has(keyOfRow(it)) : !made.has(keyOfRow(it)) && isFree(it)),
        `I15 purchase ${it.id} is ${it.state}, the token differs`,
      ),
    ),
    ...all(standing).flatMap(it =>
      unless(
        hasMoved(it.tx_hash, it.account, it.amount),
        `I15 the posting ${it.key} names ${textOf(it.tx_hash)}, which moved no such amount`,
      ),
    ),
    ...claims.flatMap(({ signed, hasWork }) =>
      unless(!hasWork || made.has(toKey(signed)), `I15 ${signed.from} has work for the nonce ${signed.nonce} and did not pay`),
    ),
  ]
}
