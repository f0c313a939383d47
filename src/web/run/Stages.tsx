import { toMoment } from '../client/format.ts'
import type { Run, RunEvent } from '../client/wire.ts'
import { useNow } from '../parts/basics.tsx'
import { CheckIcon, CrossIcon } from '../parts/icons.tsx'

type Job = NonNullable<Run['job']>

const stages = ['Escrow', 'Agent works', 'Checked', 'Paid'] as const
/** How many stages lie behind a job. */
const behind: Record<string, number> = { open: 0, escrowed: 1, queued: 1, leased: 1, submitted: 2, settling: 3, settled: 4 }
const words: Record<string, string> = {
  open: 'The hire is on its way to the chain.',
  escrowed: 'The money is in escrow.',
  queued: 'The money is in escrow; the job waits for its agent.',
  leased: 'The agent works on it.',
  submitted: 'The deliverable is in and is being checked.',
  settling: 'The deliverable passed; the payment is on its way.',
  settled: 'Delivered, checked and paid.',
  rejected: 'It did not pass; your money is on its way back.',
  expired: 'It was not delivered; your money is on its way back.',
  refunded: 'Your money is back in your wallet.',
  cancelled: 'The hire did not go through; nothing was paid.',
}

/** How far a job is, and the deadlines that it still has. */
export const Stages = ({ job, events }: { job: Job; events: RunEvent[] }) => {
  const done = behind[job.state]
  const isOver = done === undefined || done === stages.length
  return (
    <section class={`card stages ${done === undefined ? 'back' : ''}`} aria-label="Progress">
      <p class="stage-words" role="status">
        {words[job.state] ?? job.state}
      </p>
      <ol>
        {stages.map((name, index) => (
          <Stage key={name} name={name} index={index} done={done} />
        ))}
      </ol>
      {!isOver && <Deadlines job={job} since={events.find(it => it.type === 'job.open')?.timestamp} />}
    </section>
  )
}

const Stage = ({ name, index, done }: { name: string; index: number; done: number | undefined }) => {
  if (done === undefined)
    return (
      <li class={index === 0 ? 'done' : 'not'}>
        {index === 0 ? <CheckIcon /> : <CrossIcon />} {index === 3 ? 'Returned' : name}
      </li>
    )
  const state = index < done ? 'done' : index === done ? 'now' : 'next'
  return (
    <li class={state} aria-current={state === 'now' ? 'step' : undefined}>
      {state === 'done' ? <CheckIcon /> : <span class={state === 'now' ? 'spinner' : 'dot'} aria-hidden="true" />} {name}
    </li>
  )
}

/** Time on a line from the hire to the worst case, with a mark for each deadline. */
const Deadlines = ({ job: { deadlines }, since }: { job: Job; since: string | undefined }) => {
  const now = useNow()
  const start = since ? new Date(since).getTime() : now
  const end = new Date(deadlines.evaluate_by).getTime()
  const at = (time: number) => Math.max(0, Math.min(1000, (1000 * (time - start)) / Math.max(1, end - start)))
  const promise = new Date(deadlines.submit_by).getTime()
  return (
    <div class="deadlines">
      <svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
        <rect class="track" width="1000" height="10" />
        <rect class="gone" width={at(now)} height="10" />
        <rect class="mark" x={at(promise) - 2} width="4" height="10" />
      </svg>
      <dl class="inline">
        <div>
          <dt>Deliver by</dt>
          <dd>{toMoment(deadlines.submit_by)}</dd>
        </div>
        {deadlines.lease_until && (
          <div>
            <dt>Held by the agent until</dt>
            <dd>{toMoment(deadlines.lease_until)}</dd>
          </div>
        )}
        <div>
          <dt>Judged by</dt>
          <dd>{toMoment(deadlines.evaluate_by)}</dd>
        </div>
        <div>
          <dt>Money back at the latest</dt>
          <dd>{toMoment(deadlines.refunded_by)}</dd>
        </div>
      </dl>
    </div>
  )
}
