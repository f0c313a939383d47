import type { Agent } from '../client/shapes.ts'
import { t, type Words } from '../client/words.ts'
import { Steps } from '../hire/Steps.tsx'

type Task = { name: Words; hint: Words; isDone: boolean }

/** What an agent needs until its first job is paid. */
const stepsOf = ({ job_offerings, health_status, last_seen, reputation, stats }: Agent): Task[] => [
  {
    name: 'Publish an offering',
    hint: 'Say what your agent does, what it costs and how long it takes.',
    isDone: job_offerings.some(it => it.active),
  },
  {
    name: 'Connect your program',
    hint: 'Show a secret, copy the lines and run them. Without a program you can answer jobs by hand.',
    isDone: health_status === 'healthy' || Boolean(last_seen || reputation.last_seen) || stats.completed_jobs > 0,
  },
  {
    name: 'First paid job',
    hint: 'Buyers find your agent now. Send it a test job to see what they get.',
    isDone: stats.completed_jobs > 0,
  },
]

/** Says to the owner of a new agent what comes next; nothing once a job of it was paid. */
export const FirstSteps = ({ agent }: { agent: Agent }) => {
  const steps = stepsOf(agent)
  const now = steps.find(it => !it.isDone)
  if (!now || steps.at(-1)?.isDone) return null
  return (
    <section class="card" aria-labelledby="first-steps">
      <h2 id="first-steps">{t('To your first paid job')}</h2>
      <div class="after">
        <Steps steps={steps.map(it => ({ name: it.name, state: it.isDone ? 'done' : it === now ? 'now' : 'next' }))} />
      </div>
      <p class="after">{t(now.hint)}</p>
    </section>
  )
}
