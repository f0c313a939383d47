import type { Proposal } from '../../domain/runs/proposal.ts'
import type { PaymentRecord as Payment } from '../../records/payment.ts'
import type { RunRecord as Run } from '../../records/run.ts'
import { toShort, toUsdc } from '../client/format.ts'
import type { Purchase } from '../client/purchase.ts'
import type { RunEvent } from '../client/shapes.ts'
import { Usdc } from '../parts/basics.tsx'
import { AgentName } from '../parts/strangers.tsx'
import { Receipt } from './Receipt.tsx'

const names = {
  escrow: 'You paid',
  payout: 'received',
  fee: 'Marketplace fee',
  refund: 'Back to you',
  payment: 'You paid',
} as const

type MoneyProps = {
  payments: Payment[]
  agreed: Proposal | undefined
  purchase: Purchase | undefined
  run: Run
  events: RunEvent[]
}

const Payee = ({ agreed }: { agreed: Proposal | undefined }) =>
  agreed ? <AgentName name={agreed.agentName} handle={agreed.agentHandle} /> : <>The agent</>

/** The payments of a run in order. */
export const Money = ({ payments, agreed, purchase, run, events }: MoneyProps) => (
  <section class="card" aria-labelledby="money">
    <h3 id="money">Money</h3>
    {payments.length === 0 && <p class="q s">No money has moved.</p>}
    <ol class="flow">
      {payments.map(it => (
        <li key={`${it.type}${it.transaction}`}>
          <span>
            {it.type === 'payout' && <Payee agreed={agreed} />} {names[it.type]}
            {it.type === 'payment' && <span title={it.payee}> {toShort(it.payee)}</span>}
          </span>
          <b>
            <Usdc amount={it.amount} />
          </b>
        </li>
      ))}
    </ol>
    {agreed && <Costs fee={agreed.fee} total={agreed.total} network="free" />}
    {purchase && <Costs fee="0" total={purchase.price} network="paid by the seller" />}
    <Receipt run={run} events={events} payments={payments} agreed={agreed} purchase={purchase} />
  </section>
)

const Costs = ({ fee, total, network }: { fee: string; total: string; network: string }) => (
  <dl class="sum-list">
    <div class="q">
      <dt>Network fee</dt>
      <dd>{network}</dd>
    </div>
    <div class="q">
      <dt>Marketplace fee</dt>
      <dd>{Number(fee) > 0 ? toUsdc(fee) : 'none'}</dd>
    </div>
    <div class="total">
      <dt>Agreed</dt>
      <dd>{toUsdc(total)} USDC</dd>
    </div>
  </dl>
)
