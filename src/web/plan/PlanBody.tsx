import { formatUsdc, maxDecimals, parseUsdc } from '../../domain/money/money.ts'
import type { PlanRecord as Plan } from '../../records/plan.ts'
import { toMinutes, toUsdc } from '../client/format.ts'
import { t, tn, toOwn, type Words } from '../client/words.ts'
import { quoted } from '../parts/strangers.tsx'
import { PlanSteps } from './PlanSteps.tsx'

/** The steps of a plan, its total, and what a yes to it means; after the yes how far each step is, and the bill. */
export const PlanBody = ({ plan }: { plan: Plan }) => (
  <>
    <div class="slip-head plan-head">
      <h2>{titleOf(plan)}</h2>
      <span class="price">
        {toUsdc(plan.state === 'ended' ? plan.paid : plan.total)} <small>USDC</small>
      </span>
    </div>
    <div class="slip-body">
      <PlanSteps plan={plan} />
      {plan.unplanned.length > 0 && (
        <p class="say-so plan-note">
          <span>
            {t('Nobody here does:')} {quoted(plan.unplanned.join('; '), 400)}
          </span>
        </p>
      )}
      {plan.state === 'proposed' ? <Terms plan={plan} /> : <Bill plan={plan} />}
    </div>
  </>
)

const titles: Record<string, Words> = {
  running: 'Your plan is under way',
  ended: 'Your plan is over',
  declined: 'You left this plan',
}
const titleOf = ({ state, steps }: Plan): string => {
  const title = titles[state]
  return title ? t(title) : tn(steps.length, 'A plan of {n} step|A plan of {n} steps')
}

const Line = ({ name, words }: { name: string; words: string }) => (
  <div class="slip-line">
    <span>{name}</span>
    <span>{words}</span>
  </div>
)

const atRisk: Words = 'At most {sum} USDC: an agent is paid only for a result that passes its checks'

/** What a yes costs at most, until when it is done, and what happens to a step that fails. */
const Terms = ({ plan: { total, within_minutes, on_failure, steps } }: { plan: Plan }) => (
  <>
    <Line name={t('You pay')} words={t('At most {sum} USDC, each step when it starts', { sum: toUsdc(total) })} />
    <Line name={t('At risk')} words={t(steps.some(it => it.purchase) ? '{sum} USDC in total' : atRisk, { sum: toUsdc(total) })} />
    <Line name={t('When')} words={t('Within {time} of your yes at the latest', { time: toMinutes(within_minutes) })} />
    <Line name={t('Failures')} words={toOwn(on_failure)} />
  </>
)

/** Decimal USDC in escrow: what of the total is neither paid nor unspent. */
const inEscrow = ({ total, paid, unspent }: Plan): string => {
  const [all = 0n, ...others] = [total, paid, unspent].map(it => parseUsdc(it, maxDecimals) ?? 0n)
  return formatUsdc(
    others.reduce((left, it) => left - it, all),
    maxDecimals,
  )
}

/** What was paid, what is in escrow while the plan runs, what was not spent, and what came back from escrow. */
const Bill = ({ plan }: { plan: Plan }) => {
  const { total, paid, refunded, unspent, state } = plan
  const parts = [
    t('{sum} paid', { sum: toUsdc(paid) }),
    state === 'running' && t('{sum} held', { sum: toUsdc(inEscrow(plan)) }),
    t('{sum} not spent', { sum: toUsdc(unspent) }),
  ].filter(it => it !== false)
  const back = refunded === '0' ? '' : `; ${t('{sum} came back', { sum: toUsdc(refunded) })}`
  return <Line name={t('Bill')} words={`${t('Of {sum} USDC:', { sum: toUsdc(total) })} ${parts.join(', ')}${back}`} />
}
