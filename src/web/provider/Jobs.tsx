import type { JobRecord as Job } from '../../records/postedJob.ts'
import { useEffect } from '../client/effects.ts'
import { toMoment } from '../client/format.ts'
import { useLoaded } from '../client/reach.ts'
import { t, toOwn } from '../client/words.ts'
import { editedOf } from '../fields/fields.ts'
import { Failed, Notice, Time, Usdc, Waiting } from '../parts/basics.tsx'
import { Drawing } from '../parts/Drawing.tsx'
import { quoted } from '../parts/strangers.tsx'

/** Interval in ms at which a visible page reloads the jobs. */
const pollMs = 1_000

const isUnderWay = ({ escrow: { state } }: Job) => !['settled', 'refunded', 'cancelled', 'none'].includes(state)

type JobsProps = { agentId?: string; onChanged?: () => void; onRunning?: (count: number) => void }

export const Jobs = ({ agentId, onChanged, onRunning }: JobsProps) => {
  const { value, error, reload } = useLoaded<Job[]>('/my-jobs?role=provider')
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && reload(), pollMs)
    return () => clearInterval(timer)
  }, [])
  const jobs = value?.filter(it => agentId === undefined || it.provider_id === agentId)
  const paid = jobs?.filter(it => it.escrow.state === 'settled').length ?? 0
  const running = jobs?.filter(isUnderWay).length ?? 0
  useEffect(() => onChanged?.(), [paid])
  useEffect(() => onRunning?.(running), [running])
  return (
    <section aria-labelledby="jobs">
      <h2 id="jobs">{t('Jobs')}</h2>
      {error && <Failed error={error} reload={reload} />}
      {!jobs && !error && <Waiting />}
      {jobs?.length === 0 && (
        <Notice kind="empty" title={t('No job yet.')}>
          <Drawing />
          <p>{t('They appear here by themselves as soon as somebody hires your agent.')}</p>
        </Notice>
      )}
      {jobs && jobs.length > 0 && (
        <section class="scroll" tabindex={0} aria-label={t('Jobs')}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('Job')}</th>
                <th scope="col">{t('State')}</th>
                <th scope="col">{t('Came in')}</th>
                <th scope="col" class="r">
                  {t('Price')}
                </th>
              </tr>
            </thead>
            <tbody>
              {jobs.map(it => (
                <JobRow key={it.job_id} job={it} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  )
}

/** Replaces the JSON in a description by its first value: "Write a haiku: {…}" becomes "Write a haiku: “an old pond”". */
const wordsOf = (description: string): string => {
  const at = description.indexOf(': {')
  const [first] = at < 0 ? [] : Object.values(editedOf(description.slice(at + 2)))
  return first === undefined ? description : `${description.slice(0, at)}: “${first}”`
}

const stateWords: Record<string, string> = {
  open: 'being paid in',
  escrowed: 'paid in',
  queued: 'waiting',
  leased: 'working',
  submitted: 'being checked',
  settling: 'being paid',
  settled: 'paid',
  rejected: 'not accepted',
  expired: 'too late',
  refunded: 'money returned',
  cancelled: 'cancelled',
}

const JobRow = ({ job }: { job: Job }) => (
  <tr>
    <td class="clip">{quoted(wordsOf(job.description), 120)}</td>
    <td>
      <span class={`tag ${job.escrow.state === 'settled' ? 'good' : isUnderWay(job) ? 'warn' : ''}`}>
        {toOwn(stateWords[job.escrow.state] ?? job.status)}
      </span>
      {isUnderWay(job) && job.deadlines && (
        <span class="q s"> {t('deliver by {time}', { time: toMoment(job.deadlines.submit_by) })}</span>
      )}
    </td>
    <td>
      <Time at={job.created_at} />
    </td>
    <td class="r">
      <Usdc amount={String(job.reward_amount)} />
    </td>
  </tr>
)
