import { textOf } from '../sim/books.ts'
import { unless } from '../sim/invariants/unless.ts'
import type { ChainView } from './chainView.ts'
import type { Ledgers } from './ledgers.ts'

/** I15: a paid call is settled when its authorization was used, and so is a purchase. */
export const checkPayments = ({ all }: Pick<Ledgers, 'all'>, { used }: Pick<ChainView, 'used'>): string[] => [
  ...all('select p.id, p.nonce, j.state from paid_call p join job j on j.id = p.job_id').flatMap(it =>
    unless((it.state === 'settled') === used.has(textOf(it.nonce)), `I15 paid call ${it.id} is ${it.state}, the token differs`),
  ),
  ...all('select id, nonce, state from purchase where nonce is not null').flatMap(it =>
    unless((it.state === 'paid') === used.has(textOf(it.nonce)), `I15 purchase ${it.id} is ${it.state}, the token differs`),
  ),
]
