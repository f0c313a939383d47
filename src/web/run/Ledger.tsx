import { toShort } from '../client/format.ts'
import type { Payment } from '../client/wire.ts'
import { Usdc } from '../parts/basics.tsx'
import { Transaction } from './Transaction.tsx'

const names = { escrow: 'Into escrow', payout: 'Paid to the agent', fee: 'Platform fee', refund: 'Back to you' } as const

/** The money of one run, as it moved on chain. */
export const Ledger = ({ payments, explorer }: { payments: Payment[]; explorer: string | undefined }) => (
  <section class="card" aria-labelledby="money">
    <h2 id="money">Money</h2>
    {payments.length === 0 && <p class="quiet">Nothing has moved.</p>}
    <ul class="plain ledger">
      {payments.map(it => (
        <li key={`${it.type}${it.transaction}`}>
          <span class="ledger-what">{names[it.type]}</span>
          <Usdc amount={it.amount} />
          <span class="quiet small">
            <Holder name={it.payer} /> → <Holder name={it.payee} />
          </span>
          <span class="small">
            <Transaction hash={it.transaction} explorer={explorer} />
          </span>
        </li>
      ))}
    </ul>
  </section>
)

/** Who holds money: a wallet, or the escrow of the job. */
const Holder = ({ name }: { name: string }) => <span title={name}>{name.startsWith('0x') ? toShort(name) : 'escrow'}</span>
