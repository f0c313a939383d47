import { toQuotable } from '../../domain/text/quotableText.ts'
import type { PlanRecord as Plan, PlanStepRecord as Step } from '../../records/plan.ts'
import { toShort, toUsdc } from '../client/format.ts'
import { t, type Words } from '../client/words.ts'
import { Link } from '../parts/basics.tsx'
import { quoted } from '../parts/strangers.tsx'
import { toInputLines } from './planInput.ts'

/** The steps of a plan as a numbered list: who does it for how much, what it gets, and how far it is. */
export const PlanSteps = ({ plan: { steps, state } }: { plan: Plan }) => (
  <ol class="plan-steps">
    {steps.map(it => (
      <li key={it.number} class={it.needs.length > 0 ? 'needs' : ''} value={it.number}>
        <div class="plan-step">
          <b class="clip2">{quoted(it.offering_name, 120)}</b>
          <span class="num">
            {it.purchase?.scheme && `${t('up to')} `}
            {toUsdc(it.price)} USDC
          </span>
        </div>
        <p class="q s">
          {it.agent_handle}
          {it.needs.length > 0 && `, ${t('needs the result of {steps}', { steps: it.needs.join(', ') })}`}
          {state !== 'proposed' && <State of={it} />}
        </p>
        <p class="s clip2">{quoted(toInputLines(it.input).join('; '), 300)}</p>
        {it.purchase && (
          <p class="q s">
            {t('Paid to')} <span title={it.purchase.payee}>{toShort(it.purchase.payee)}</span> · {t('Paid directly, no refund')}
            {it.purchase.body_hash && ` · ${t('with your JSON')}`}
          </p>
        )}
        {it.purchase?.outside && <p class="say-so plan-note">{quoted(it.purchase.outside, 400)}</p>}
        {it.left_out.length > 0 && (
          <p class="say-so plan-note">
            <span>{t('Left out: {text}. The agent does not get this.', { text: toQuotable(it.left_out.join('; '), 400) })}</span>
          </p>
        )}
        {it.standby && !it.is_standby && state === 'proposed' && (
          <p class="q s">
            {t('If it fails:')} {quoted(it.standby.offering_name, 80)} · {it.standby.agent_handle} · {toUsdc(it.standby.price)}{' '}
            USDC
          </p>
        )}
      </li>
    ))}
  </ol>
)

const words: Record<Step['state'], Words> = {
  waiting: 'waiting',
  asking: 'needs your answer',
  working: 'at work',
  delivered: 'delivered, being checked',
  paid: 'done and paid',
  refunded: 'refunded',
  skipped: 'Left out',
  failed: 'not hired',
}

const State = ({ of: { state, reason, run_id } }: { of: Step }) => (
  <>
    {' · '}
    <span class={`plan-state ${state}`}>{t(words[state])}</span>
    {reason && <>: {quoted(reason, 200)}</>}
    {run_id && (
      <>
        {' · '}
        <Link to={`/app/runs/${run_id}`}>{t('Details')}</Link>
      </>
    )}
  </>
)
