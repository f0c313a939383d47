import type { OpenTerms } from '../../domain/x402/purchaseProposal.ts'
import type { RunRecord as Run } from '../../records/run.ts'
import { toDuration } from '../client/format.ts'
import { t } from '../client/words.ts'
import { StepBars, Steps } from '../hire/Steps.tsx'
import type { Step } from '../hire/steps.ts'
import { Link } from '../parts/basics.tsx'
import { ChevronIcon } from '../parts/icons.tsx'
import { SlipDetails } from '../proposal/SlipDetails.tsx'
import { Subject } from './Subject.tsx'
import { isOver } from './turns.ts'

type AcceptedProps = {
  terms: OpenTerms
  run: Run | undefined
  steps: Step[]
  /** Milliseconds from the yes to the end; undefined while the run is not over. */
  took: number | undefined
  /** The state of the payment, shown in the line. */
  state: unknown
  /** The newest report, shown while the run is not over. */
  report: unknown
  note: string
  /** Buttons beside the note. */
  children?: unknown
}

/** An accepted proposal as one line, which expands to its progress. */
export const Accepted = ({ terms, run, steps, took, state, report, note, children }: AcceptedProps) => (
  <details class={`was ${isOver(run) ? '' : 'busy'}`} open={!isOver(run)} aria-label={t('Progress')}>
    <summary>
      <Subject terms={terms} />
      <StepBars steps={steps} />
      {state}
      {isOver(run) && <span class="q s num only-wide">{toDuration(took ?? 0)}</span>}
      <ChevronIcon />
    </summary>
    <div class="was-body">
      <Steps steps={steps} />
      {!isOver(run) && report}
      <div class="row wrap was-foot">
        <span class="q s grow">{note}</span>
        {children}
        {run && <Link to={`/app/runs/${run.run_id}`} class="link" words={t('What happened')} />}
      </div>
      <SlipDetails terms={terms} />
    </div>
  </details>
)
