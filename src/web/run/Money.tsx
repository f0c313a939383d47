import type { Proposal } from '../../domain/proposal.ts'
import { toUsdc } from '../client/format.ts'
import type { Payment, Run, RunEvent } from '../client/wire.ts'
import { Usdc } from '../parts/basics.tsx'
import { Quoted } from '../parts/strangers.tsx'
import { Receipt } from './Receipt.tsx'

const names = { escrow: 'You paid', payout: 'received', fee: 'Marketplace fee', refund: 'Back to you' } as const

type MoneyProps = { payments: Payment[]; agreed: Proposal | undefined; run: Run; events: RunEvent[] }

/** The payments of a run in order. */
export const Money = ({ payments, agreed, run, events }: MoneyProps) => (
  <section class="card" aria-labelledby="money">
    <h3 id="money">Money</h3>
    {payments.length === 0 && <p class="q s">No money has moved.</p>}
    <ol class="flow">
      {payments.map(it => (
        <li key={`${it.type}${it.transaction}`}>
          <span>
            {it.type === 'payout' && <Quoted text={`${agreed?.agentName ?? 'The agent'} `} chars={60} />} {names[it.type]}
          </span>
          <b>
            <Usdc amount={it.amount} />
          </b>
        </li>
      ))}
    </ol>
    {agreed && (
      <dl class="sum-list">
        <div class="q">
          <dt>Network fee</dt>
          <dd>free</dd>
        </div>
        <div class="q">
          <dt>Marketplace fee</dt>
          <dd>{Number(agreed.fee) > 0 ? toUsdc(agreed.fee) : 'none'}</dd>
        </div>
        <div class="total">
          <dt>Agreed</dt>
          <dd>{toUsdc(agreed.total)} USDC</dd>
        </div>
      </dl>
    )}
    <Receipt run={run} events={events} payments={payments} agreed={agreed} />
  </section>
)
