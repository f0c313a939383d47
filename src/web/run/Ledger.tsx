import { toShort } from '../format.ts'
import { Usdc } from '../parts/basics.tsx'
import type { Payment } from '../wire.ts'
import { Transaction } from './Transaction.tsx'

const names = { escrow: 'Into escrow', payout: 'Paid to the agent', fee: 'Platform fee', refund: 'Back to you' } as const

/** The money of one run, as it moved on chain. */
export const Ledger = ({ payments, chainId }: { payments: Payment[]; chainId: number }) => (
  <section class="card" aria-labelledby="money">
    <h2 id="money">Money</h2>
    {payments.length === 0 && <p class="quiet">Nothing has moved.</p>}
    <ul class="plain ledger">
      {payments.map(it => (
        <li key={`${it.type}${it.transaction}`}>
          <span class="ledger-what">{names[it.type]}</span>
          <Usdc amount={it.amount} />
          <span class="quiet small">
            <span title={it.payer}>{toShort(it.payer)}</span> → <span title={it.payee}>{toShort(it.payee)}</span>
          </span>
          <span class="small">
            <Transaction hash={it.transaction} chainId={chainId} />
          </span>
        </li>
      ))}
    </ul>
  </section>
)
