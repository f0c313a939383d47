import type { Proposal } from '../../domain/runs/proposal.ts'
import type { PaymentRecord as Payment } from '../../records/payment.ts'
import type { RunRecord as Run } from '../../records/run.ts'
import { offeredIn } from '../client/agreed.ts'
import { toShort, toUsdc } from '../client/format.ts'
import type { Purchase } from '../client/purchase.ts'
import type { RunEvent } from '../client/shapes.ts'
import { t, toOwn } from '../client/words.ts'
import { Button, Usdc } from '../parts/basics.tsx'
import { DownloadIcon } from '../parts/icons.tsx'
import { AgentName, download } from '../parts/strangers.tsx'

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
  agreed ? <AgentName name={agreed.agentName} handle={agreed.agentHandle} /> : t('The agent')

export const Money = ({ payments, agreed, purchase, run, events }: MoneyProps) => (
  <section class="card" aria-labelledby="money">
    <h3 id="money">{t('Money')}</h3>
    {payments.length === 0 && <p class="q s">{t('No money has moved.')}</p>}
    <ol class="flow">
      {payments.map(it => (
        <li key={`${it.type}${it.transaction}`}>
          <span>
            {it.type === 'payout' && <Payee agreed={agreed} />} {toOwn(names[it.type])}
            {it.type === 'payment' && <span title={it.payee}> {toShort(it.payee)}</span>}
          </span>
          <b>
            <Usdc amount={it.amount} />
          </b>
        </li>
      ))}
    </ol>
    {agreed && (
      <Costs
        fee={agreed.usage ? feeOf(payments) : agreed.fee}
        total={agreed.total}
        isMost={agreed.charged !== undefined}
        network="free"
      />
    )}
    {run.job?.used && <Used of={run.job.used} />}
    {purchase && <Costs fee="0" total={purchase.price} isMost={purchase.scheme === 'upto'} network="paid by the seller" />}
    <Receipt run={run} events={events} payments={payments} agreed={agreed} purchase={purchase} />
  </section>
)

/** The fee of a usage price follows from what was used. */
const feeOf = (payments: Payment[]): string => payments.find(it => it.type === 'fee')?.amount ?? '0'

const Used = ({ of: { charged, stated, counted, unit, counting } }: { of: NonNullable<NonNullable<Run['job']>['used']> }) => (
  <p class="q s">
    {t('Charged: {n} {unit}, {counting}.', { n: String(charged), unit, counting })}
    {stated !== undefined &&
      counted !== undefined &&
      stated !== counted &&
      ` ${t('The agent said {stated}; {counted} were counted.', { stated: String(stated), counted: String(counted) })}`}
  </p>
)

type CostsProps = { fee: string; total: string; isMost: boolean; network: string }

const Costs = ({ fee, total, isMost, network }: CostsProps) => (
  <dl class="sum-list">
    <div class="q">
      <dt>{t('Network fee')}</dt>
      <dd>{toOwn(network)}</dd>
    </div>
    <div class="q">
      <dt>{t('Marketplace fee')}</dt>
      <dd>{Number(fee) > 0 ? toUsdc(fee) : t('none')}</dd>
    </div>
    <div class="total">
      <dt>{t('Agreed')}</dt>
      <dd>
        {isMost && `${t('at most')} `}
        {toUsdc(total)} USDC
      </dd>
    </div>
  </dl>
)

type Parts = { run: Run; events: RunEvent[]; payments: Payment[]; agreed: Proposal | undefined; purchase: Purchase | undefined }

const toReceipt = ({ run, events, payments, agreed, purchase }: Parts): string => {
  const transactions = events
    .filter(it => it.type === 'transaction')
    .map(({ timestamp, data: { step, hash, success } }) => ({ timestamp, step, hash, success }))
  const { run_id, task, chain_id, state, job } = run
  const terms = agreed ?? offeredIn(events)
  return JSON.stringify({ run_id, task, chain_id, state, terms, job, purchase, payments, transactions }, undefined, 2)
}

const Receipt = (parts: Parts) => (
  <Button
    class="btn full-width"
    onClick={() => download({ text: toReceipt(parts), name: `receipt-${parts.run.run_id}.json`, type: 'application/json' })}
    icon={<DownloadIcon />}
    words={t('Receipt')}
  />
)
