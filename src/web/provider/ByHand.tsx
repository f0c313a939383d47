import { useState } from 'hono/jsx/dom'
import { toLabel } from '../client/format.ts'
import { useDraft, useReach, useWork } from '../client/reach.ts'
import type { Agent } from '../client/shapes.ts'
import { t } from '../client/words.ts'
import { editedOf } from '../fields/fields.ts'
import { Button, Notice, textOf } from '../parts/basics.tsx'
import { quoted } from '../parts/strangers.tsx'

type Taken = { job_id: string; job_input: string }

/** Lets a provider do a job without a program: take it, read it and answer it. */
export const ByHand = ({ agent, done }: { agent: Agent; done(): void }) => {
  const { api } = useReach()
  const work = useWork()
  const [job, setJob] = useState<Taken | undefined>(undefined)
  const [said, setSaid] = useState('')
  const take = () =>
    work.run(async () => {
      const next = await api.get<Partial<Taken>>(`/gateway/jobs/poll?${new URLSearchParams({ agent: agent.agent_id })}`)
      const { job_id, job_input = '' } = next
      setJob(job_id ? { job_id, job_input } : undefined)
      setSaid(job_id ? '' : t('No job waits at the moment.'))
      done()
    })
  const answered = (words: string) => {
    setJob(undefined)
    setSaid(words)
    done()
  }
  return (
    <section class="card" aria-labelledby="by-hand">
      <h2 id="by-hand">{t('Answer by hand')}</h2>
      <p class="q s">{t('Take a job yourself: useful before your program runs, and to see what buyers send.')}</p>
      {job ? (
        <Answer job={job} agent={agent} done={answered} />
      ) : (
        <Button class="btn after" disabled={work.busy} onClick={take} words={t('Take the next job')} />
      )}
      <p class="s" role="status">
        {said}
      </p>
      {work.error && <Notice kind="error">{work.error}</Notice>}
    </section>
  )
}

const Answer = ({ job, agent, done }: { job: Taken; agent: Agent; done(words: string): void }) => {
  const { api } = useReach()
  const work = useWork()
  const [text, setText] = useDraft(`by hand ${job.job_id}`)
  const members = Object.entries(editedOf(job.job_input))
  const hand = (status: 'completed' | 'failed') =>
    work.run(async () => {
      const outcome =
        status === 'completed' ? { result: { response: text } } : { error: text || 'The provider declined the job.', result: {} }
      await api.post('/gateway/jobs/complete', { job_id: job.job_id, agent_id: agent.agent_id, status, ...outcome })
      done(status === 'completed' ? t('Submitted. It is being checked.') : t('Declined. The buyer gets the money back.'))
    })
  return (
    <form
      class="stack after"
      onSubmit={event => {
        event.preventDefault()
        hand('completed')
      }}
    >
      <dl class="kv s">
        {(members.length > 0 ? members : [[t('Input'), job.job_input]]).map(([name = '', value = '']) => (
          <>
            <dt>{quoted(toLabel(name), 60)}</dt>
            <dd>{quoted(value, 2_000)}</dd>
          </>
        ))}
      </dl>
      <label class="field">
        <span>{t('Your result: text, or JSON where the offering promises it')}</span>
        <textarea class="in" rows={4} required value={text} onInput={event => setText(textOf(event))} />
      </label>
      {work.error && <Notice kind="error">{work.error}</Notice>}
      <div class="row">
        <Button type="submit" class="btn main" disabled={work.busy || !text.trim()} words={t('Hand it in')} />
        <Button class="link" disabled={work.busy} onClick={() => hand('failed')} words={t('I cannot do it')} />
      </div>
    </form>
  )
}
