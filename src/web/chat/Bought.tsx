import type { PurchaseProposal } from '../../domain/purchaseProposal.ts'
import { toDuration, toReadable, toUsdc } from '../client/format.ts'
import type { Run, RunEvent } from '../client/wire.ts'
import { StepBars, Steps } from '../hire/Steps.tsx'
import { purchaseTookMs, toPurchaseSteps } from '../hire/steps.ts'
import { Link } from '../parts/basics.tsx'
import { CheckIcon, ChevronIcon, CrossIcon, SpinIcon } from '../parts/icons.tsx'
import { Quoted } from '../parts/strangers.tsx'
import { usePurchase } from '../run/followPurchase.ts'
import { SlipDetails } from './SlipDetails.tsx'
import { Subject } from './Subject.tsx'
import type { Ending } from './turns.ts'

type BoughtProps = { terms: PurchaseProposal; run: Run | undefined; events: RunEvent[]; answer: Ending | undefined }

/** An accepted purchase as one line, which expands to its progress. */
export const Bought = ({ terms, run, events, answer }: BoughtProps) => {
  const isOver = run?.state === 'completed' || run?.state === 'failed'
  const isPaid = events.some(it => it.type === 'payment.settled')
  const steps = toPurchaseSteps(events, isOver)
  return (
    <details class={`was ${isOver ? '' : 'busy'}`} open={!isOver} aria-label="Progress">
      <summary>
        <Subject terms={terms} />
        <StepBars steps={steps} />
        <BoughtState isPaid={isPaid} isOver={isOver} total={terms.total} />
        {isOver && <span class="q s num only-wide">{toDuration(purchaseTookMs(events) ?? 0)}</span>}
        <ChevronIcon />
      </summary>
      <div class="was-body">
        <Steps steps={steps} />
        {!isOver && <Delay run={run} />}
        <div class="row wrap was-foot">
          <span class="q s grow">{answer === 'mandated' && 'Paid under your spending limit.'}</span>
          {run && (
            <Link to={`/app/runs/${run.run_id}`} class="link">
              What happened
            </Link>
          )}
        </div>
        <SlipDetails terms={terms} />
      </div>
    </details>
  )
}

/** Why a purchase is not decided yet. */
const Delay = ({ run }: { run: Run | undefined }) => {
  const reason = usePurchase(run)?.reason
  return reason ? (
    <p class="q s" aria-live="polite">
      <Quoted text={toReadable(reason)} chars={300} />
    </p>
  ) : null
}

const BoughtState = ({ isPaid, isOver, total }: { isPaid: boolean; isOver: boolean; total: string }) => {
  if (isPaid)
    return (
      <span class="ok s num">
        <CheckIcon /> Paid {toUsdc(total)}
      </span>
    )
  return isOver ? (
    <span class="tag warn">
      <CrossIcon /> Not paid
    </span>
  ) : (
    <span class="ok s">
      <SpinIcon /> Paying
    </span>
  )
}
