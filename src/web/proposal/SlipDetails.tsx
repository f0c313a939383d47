import { toShownDigest } from '../../domain/consent/digest.ts'
import type { Proposal } from '../../domain/runs/proposal.ts'
import type { PurchaseProposal } from '../../domain/runs/purchaseTerms.ts'
import type { OpenTerms } from '../../domain/x402/purchaseProposal.ts'
import { isPurchase } from '../client/agreed.ts'
import { toReadable, toUsdc } from '../client/format.ts'
import { t } from '../client/words.ts'
import { ChevronIcon } from '../parts/icons.tsx'
import { AgentName, quoted } from '../parts/strangers.tsx'
import { englishLabels } from './slipLabels.ts'
import type { SlipProps } from './slipProps.ts'

/** Details of a proposal: the checks, all costs, why this agent was chosen, and what a yes commits to. */
export const SlipDetails = ({ terms, labels = englishLabels }: Pick<SlipProps, 'terms'> & Partial<Pick<SlipProps, 'labels'>>) => (
  <details class="more">
    <summary class="link">
      {labels.details} <ChevronIcon />
    </summary>
    <dl>
      {isPurchase(terms) ? <OfPurchase terms={terms} /> : <OfHire terms={terms} />}
      <dt>{t('Fingerprint of the terms')}</dt>
      <dd>
        <code title={terms.digest}>{toShownDigest(terms.digest)}</code>{' '}
        <span class="q">{t('of exactly these terms; your yes counts for nothing else')}</span>
      </dd>
    </dl>
  </details>
)

const OfHire = ({ terms: it }: { terms: Proposal }) => (
  <>
    <dt>{t('Checks')}</dt>
    <dd>{quoted(it.judgedBy.join('; '), 600)}</dd>
    <dt>{t('Cost')}</dt>
    <dd>
      {it.charged && quoted(`${t('By use: {unit}. What is not used comes back.', { unit: it.charged })} ${t('at most')} `, 200)}
      {toUsdc(it.price)} → <AgentName name={it.agentName} handle={it.agentHandle} />, {t('held until the work is checked')} ·{' '}
      {t('Network fee')}: {t('free')} · {t('Marketplace fee')}: {Number(it.fee) > 0 ? toUsdc(it.fee) : t('none')} ·{' '}
      <b>
        {it.usage && `${t('at most')} `}
        {t('{sum} USDC in total', { sum: toUsdc(it.total) })}
      </b>
    </dd>
    <Limit mandate={it.mandate} />
    <dt>{t('Why this one')}</dt>
    <dd>
      {quoted(toReadable(it.reason), 400)}
      {it.alternatives.map(other => (
        <p key={`${other.agentHandle} ${other.offeringName}`}>
          {quoted(other.offeringName, 80)} · {other.agentHandle} · {toUsdc(other.price)} USDC · {toReadable(other.why)}.
        </p>
      ))}
    </dd>
    <dt>{t('Agent')}</dt>
    <dd>{it.agentHandle}</dd>
  </>
)

/** Maximum length of an accepted address of a resource. */
const urlChars = 2_048

const OfPurchase = ({ terms: it }: { terms: PurchaseProposal }) => (
  <>
    <dt>{t('Address')}</dt>
    <dd class="whole">
      {it.method} {quoted(it.url, urlChars)}
    </dd>
    {it.bodyHash && (
      <>
        <dt>{t('SHA-256 of your JSON')}</dt>
        <dd class="whole">
          <code>{it.bodyHash}</code>
        </dd>
      </>
    )}
    <dt>{t('Cost')}</dt>
    <dd>
      {t('Network fee')}: {t('paid by the seller')} · {t('Marketplace fee')}: {t('none')} ·{' '}
      <b>
        {it.scheme && `${t('up to')} `}
        {t('{sum} USDC in total', { sum: toUsdc(it.total) })}
      </b>
    </dd>
    <dt>{t('Answer')}</dt>
    <dd>{t('up to 8 MiB within a minute')}</dd>
    {it.approves && (
      <>
        <dt>{t('Approval')}</dt>
        <dd>
          {t('First your account lets Permit2 move exactly {sum} USDC; this costs you nothing.', { sum: toUsdc(it.total) })}
        </dd>
      </>
    )}
    <dt>{t('Paid to')}</dt>
    <dd class="whole">
      <code>{it.payee}</code>
    </dd>
    <dt>{t('Paid from')}</dt>
    <dd class="whole">
      <code>{it.payer}</code>
    </dd>
    <dt>{t('Token')}</dt>
    <dd class="whole">
      USDC <code>{it.asset}</code>, {t('Chain').toLowerCase()} {it.chainId}
    </dd>
    <Limit mandate={it.mandate} />
  </>
)

const leftOf = {
  day: '{left} of {most} USDC a day left.',
  week: '{left} of {most} USDC a week left.',
  month: '{left} of {most} USDC a month left.',
} as const

const Limit = ({ mandate }: Pick<OpenTerms, 'mandate'>) =>
  mandate && (
    <>
      <dt>{t('Your limit')}</dt>
      <dd>
        {t(leftOf[mandate.period], { left: toUsdc(mandate.left), most: toUsdc(mandate.max_per_period) })}{' '}
        {quoted(toReadable(mandate.why), 300)}
      </dd>
    </>
  )
