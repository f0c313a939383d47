import { useState } from 'hono/jsx/dom'
import type { PlanRecord as Plan } from '../../records/plan.ts'
import type { WalletRecord as Wallet } from '../../records/wallet.ts'
import { toCount, toUsdc } from '../client/format.ts'
import { useLoaded, useMoved, useReach, useWork } from '../client/reach.ts'
import { Link, Notice } from '../parts/basics.tsx'
import { SpinIcon } from '../parts/icons.tsx'
import { Quoted } from '../parts/strangers.tsx'
import { PlanSteps } from './PlanSteps.tsx'
import { missingOf } from './SlipNotes.tsx'

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
    <section class={`slip ${isOpen ? 'new' : ''}`} aria-label="Plan">
      <div class="slip-head plan-head">
        <h2>{titleOf(plan)}</h2>
        <span class="price">
          {toUsdc(plan.state === 'proposed' ? plan.total : plan.paid)} <small>USDC</small>
        </span>
      </div>
      <div class="slip-body">
        <PlanSteps plan={plan} />
        {plan.unplanned.length > 0 && (
          <p class="say-so plan-note">
            <span>
              Nobody here does: <Quoted text={plan.unplanned.join('; ')} chars={400} />
            </span>
          </p>
        )}
        {plan.state === 'proposed' ? <Terms plan={plan} /> : <Bill plan={plan} />}
      </div>
      {isOpen && <Answers {...props} />}
    </section>
  )
}

const titles: Record<string, string> = {
  running: 'Your plan is under way',
  ended: 'Your plan is over',
  declined: 'You left this plan',
}
const titleOf = ({ state, steps }: Plan): string => titles[state] ?? `A plan of ${toCount(steps.length, 'step')}`

const Line = ({ name, words }: { name: string; words: string }) => (
  <div class="slip-line">
    <span>{name}</span>
    <span>{words}</span>
  </div>
)

/** What a yes costs at most, until when it is done, and what happens to a step that fails. */
const Terms = ({ plan: { total, within_minutes, on_failure } }: { plan: Plan }) => (
  <>
    <Line name="You pay" words={`At most ${toUsdc(total)} USDC, each step when it starts`} />
    <Line name="At risk" words={`At most ${toUsdc(total)} USDC: an agent is paid only for a result that passes its checks`} />
    <Line name="When" words={`Within ${toCount(within_minutes, 'minute')} of your yes at the latest`} />
    <Line name="Failures" words={on_failure} />
  </>
)

/** What was paid, what was not spent, and what came back from escrow. */
const Bill = ({ plan: { total, paid, refunded, unspent } }: { plan: Plan }) => (
  <Line
    name="Bill"
    words={`Of ${toUsdc(total)} USDC: ${toUsdc(paid)} paid, ${toUsdc(unspent)} not spent${refunded === '0' ? '' : `; ${toUsdc(refunded)} came back from escrow`}`}
  />
)

const Answers = ({ plan, runId, chainId, onAnswering, onAnswered, say }: Props) => {
  const { api } = useReach()
  const work = useWork()
  const [isYes, setYes] = useState(false)
  const balance = useLoaded<Wallet>('/v1/wallets/me', useMoved()).value?.balances.find(it => it.chain_id === chainId)
  const missing = missingOf(plan.total, balance?.usdc)
  const decide = (decision: 'yes' | 'no') => {
    setYes(decision === 'yes')
    onAnswering()
    work.run(async () => {
      await api.post(`/v1/hires/${runId}/confirm`, { digest: plan.digest, decision, wait_ms: 0 })
      onAnswered()
    })
  }
  const sum = <span class="sum">{toUsdc(plan.total)} USDC</span>
  return (
    <>
      {work.error && <Notice kind="error">{work.error}</Notice>}
      <div class="tear" />
      <div class="stub">
        {missing ? (
          <Link to="/app/me" class="btn main full">
            Add {missing} USDC
          </Link>
        ) : (
          <button type="button" class="btn main full" disabled={work.busy} onClick={() => decide('yes')}>
            {work.busy && isYes ? <SpinIcon /> : null} Approve {toCount(plan.steps.length, 'step')} · {sum}
          </button>
        )}
        <div class="row plan-row">
          {plan.steps.map(({ number }) => (
            <button
              type="button"
              class="link"
              key={number}
              disabled={work.busy}
              onClick={() => work.run(() => say(`skip ${number}`, plan.digest))}
            >
              Skip {number}
            </button>
          ))}
          <span class="grow" />
          <button type="button" class="link" disabled={work.busy} onClick={() => decide('no')}>
            No, thanks
          </button>
        </div>
      </div>
    </>
  )
}
