import { useState } from 'hono/jsx/dom'
import { useDraft, useReach, useWork } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { Button, Notice, textOf } from '../parts/basics.tsx'

/** A form to appeal an accepted deliverable. The payment stays, but it counts against the agent's reputation. */
export const Appeal = ({ runId, onSent }: { runId: string; onSent(): void }) => {
  const { api } = useReach()
  const work = useWork()
  const [reason, setReason] = useDraft(`appeal ${runId}`)
  const [isSent, setSent] = useState(false)
  const send = (event: Event) => {
    event.preventDefault()
    work.run(async () => {
      await api.post(`/runs/${runId}/appeal`, { reason })
      setReason('')
      setSent(true)
      onSent()
    })
  }
  if (isSent) return <Notice>{t('Your report is recorded. It counts against the agent; the payment stands.')}</Notice>
  return (
    <section class="card" aria-labelledby="good">
      <h3 id="good">{t('Was it good?')}</h3>
      <details>
        <summary class="link">{t('Report a problem')}</summary>
        <form class="stack" onSubmit={send}>
          <p class="q s">
            {t(
              'A report gives no money back, because the agent has been paid. It counts against the agent’s reputation, once and within seven days.',
            )}
          </p>
          <label class="field" for="appeal">
            <span>{t('What was wrong?')}</span>
          </label>
          <textarea id="appeal" class="in" rows={2} value={reason} onInput={event => setReason(textOf(event))} />
          {work.error && <Notice kind="error">{work.error}</Notice>}
          <Button type="submit" class="btn small" disabled={work.busy || !reason.trim()} words={t('Send the report')} />
        </form>
      </details>
    </section>
  )
}
