import type { Proposal } from '../../domain/runs/proposal.ts'
import type { HealthRecord as Health } from '../../records/health.ts'
import type { PaymentRecord as Payment } from '../../records/payment.ts'
import type { RunRecord as Run } from '../../records/run.ts'
import { offeredIn } from '../client/agreed.ts'
import { chainName, toSecond } from '../client/format.ts'
import type { Purchase } from '../client/purchase.ts'
import { useLoaded } from '../client/reach.ts'
import type { RunEvent } from '../client/shapes.ts'
import { t } from '../client/words.ts'
import { ChevronIcon } from '../parts/icons.tsx'
import { quoted } from '../parts/strangers.tsx'
import { Transaction } from './Transaction.tsx'

type TechnicalProps = {
  run: Run
  events: RunEvent[]
  payments: Payment[]
  agreed: Proposal | undefined
  purchase: Purchase | undefined
  explorer: string | undefined
}

export const Technical = ({ run, events, payments, agreed, purchase, explorer }: TechnicalProps) => {
  const chain = useLoaded<Health>('/health').value?.chains.find(it => it.chain_id === run.chain_id)
  return (
    <details class="card tech">
      <summary class="row">
        <b class="grow">{t('Technical details')}</b>
        <ChevronIcon />
      </summary>
      <dl class="kv s">
        <dt>{t('Chain')}</dt>
        <dd>{chainName(chain ?? { chain_id: run.chain_id })}</dd>
        <dt>{t('Run')}</dt>
        <dd class="mono">{run.run_id}</dd>
        {run.job && (
          <>
            <dt>{t('Job')}</dt>
            <dd class="mono">{run.job.job_id}</dd>
          </>
        )}
        {agreed && (
          <>
            <dt>{t('Fingerprint of the terms')}</dt>
            <dd>
              <code>{agreed.digest}</code> · {agreed.offeringVersion}
            </dd>
          </>
        )}
        {purchase && <OfPurchase purchase={purchase} bodyHash={offeredIn(events)?.bodyHash} />}
      </dl>
      <ul class="lines s">
        {events
          .filter(it => it.type === 'transaction' && it.data.hash)
          .map(it => (
            <li key={it.seq}>
              <span>{toSecond(it.timestamp)}</span>
              {quoted(stepOf(it), 200)}
              <Transaction hash={it.data.hash ?? ''} explorer={explorer} />
            </li>
          ))}
        {payments.map(it => (
          <li key={`${it.type}${it.transaction}`}>
            <span>{it.type}</span>
            <span title={`${it.payer} → ${it.payee}`}>{it.amount} USDC</span>
            <Transaction hash={it.transaction} explorer={explorer} />
          </li>
        ))}
      </ul>
      {run.job?.reason && <p class="q s">{quoted(run.job.reason, 1_000)}</p>}
    </details>
  )
}

const OfPurchase = ({ purchase: it, bodyHash }: { purchase: Purchase; bodyHash: string | undefined }) => (
  <>
    <dt>{t('Address')}</dt>
    <dd class="mono">
      {it.method} {quoted(it.url, 2_048)}
    </dd>
    {bodyHash && (
      <>
        <dt>{t('SHA-256 of your JSON')}</dt>
        <dd class="mono">{bodyHash}</dd>
      </>
    )}
    <dt>{t('Paid to')}</dt>
    <dd class="mono">{it.payee}</dd>
    <dt>{t('Paid from')}</dt>
    <dd class="mono">{it.payer}</dd>
    <dt>{t('Token')}</dt>
    <dd class="mono">{it.asset}</dd>
    <dt>{t('Fingerprint of the terms')}</dt>
    <dd>
      <code>{it.digest}</code>
    </dd>
  </>
)

/** Returns the description of a transaction without its hash, which is shown separately. */
const stepOf = ({ summary_text: text, data: { hash = '' } }: RunEvent): string => text.replace(`: ${hash}`, '').replace(/\.$/, '')
