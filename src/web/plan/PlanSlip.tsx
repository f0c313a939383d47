import { useState } from 'hono/jsx/dom'
import type { PlanRecord as Plan } from '../../records/plan.ts'
import type { WalletRecord as Wallet } from '../../records/withdrawal.ts'
import { toUsdc } from '../client/format.ts'
import { useLoaded, useMoved, useReach, useWork } from '../client/reach.ts'
import { t, tn } from '../client/words.ts'
import { Button, Notice } from '../parts/basics.tsx'
import { SpinIcon } from '../parts/icons.tsx'
import { AddMissing } from '../proposal/AddMissing.tsx'
import { missingOf } from '../proposal/SlipNotes.tsx'
import { PlanBody } from './PlanBody.tsx'

type Props = {
  plan: Plan
  runId: string
  chainId: number
  /** Whether the run accepts an answer to this plan now. */
  isOpen: boolean
  onAnswering(): void
  onAnswered(): void
  say(text: string, digest?: string): Promise<void>
}

/**
 * A plan of several hires: its steps, its total and one button. After the yes the same card shows how far each step is. All
 * amounts come from the record of the plan.
 */
export const PlanSlip = (props: Props) => {
  const { plan, isOpen } = props
  return (
    <section class={`slip ${isOpen ? 'new' : ''}`} aria-label={t('Plan')}>
      <PlanBody plan={plan} />
      {isOpen && <Answers {...props} />}
    </section>
  )
}

const Answers = ({ plan, runId, chainId, onAnswering, onAnswered, say }: Props) => {
  const { api } = useReach()
  const work = useWork()
  const [isYes, setYes] = useState(false)
  const balance = useLoaded<Wallet>('/v1/wallets/me', useMoved()).value?.balances.find(it => it.chain_id === chainId)
  const missing = missingOf(plan.total, balance?.usdc)
  const decide = (decision: 'yes' | 'no') => {
    setYes(decision === 'yes')
    onAnswering()
    work.run(() => api.post(`/v1/hires/${runId}/confirm`, { digest: plan.digest, decision, wait_ms: 0 }), onAnswered)
  }
  const sum = <span class="sum">{toUsdc(plan.total)} USDC</span>
  return (
    <>
      {work.error && <Notice kind="error">{work.error}</Notice>}
      <div class="tear" />
      <div class="stub">
        {missing ? (
          <AddMissing usdc={missing} />
        ) : (
          <button type="button" class="btn main full" disabled={work.busy} onClick={() => decide('yes')}>
            {work.busy && isYes ? <SpinIcon /> : null} {tn(plan.steps.length, 'Approve {n} step|Approve {n} steps')} · {sum}
          </button>
        )}
        <div class="row plan-row">
          {plan.steps.map(({ number }) => (
            <Button
              class="link"
              key={number}
              disabled={work.busy}
              onClick={() => work.run(() => say(`skip ${number}`, plan.digest))}
              words={t('Skip {number}', { number: String(number) })}
            />
          ))}
          <span class="grow" />
          <Button class="link" disabled={work.busy} onClick={() => decide('no')} words={t('No, thanks')} />
        </div>
      </div>
    </>
  )
}
