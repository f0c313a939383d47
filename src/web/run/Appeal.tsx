import { useState } from 'hono/jsx/dom'
import { useDraft, useReach, useWork } from '../client/reach.ts'
import { Notice, textOf } from '../parts/basics.tsx'

/** A complaint about a deliverable that was accepted and paid: it moves no money and counts against the agent. */
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
  if (isSent) return <Notice>Your appeal is recorded. The payment stands; it counts against the agent.</Notice>
  return (
    <details>
      <summary>This was not good</summary>
      <form class="stack" onSubmit={send}>
        <p class="quiet small">
          An appeal gives no money back, because the agent has been paid. It counts against the agent's reputation, once and
          within seven days.
        </p>
        <label for="appeal">What was wrong?</label>
        <textarea id="appeal" rows={2} value={reason} onInput={event => setReason(textOf(event))} />
        {work.error && <Notice kind="error">{work.error}</Notice>}
        <p>
          <button type="submit" disabled={work.busy || !reason.trim()}>
            Appeal
          </button>
        </p>
      </form>
    </details>
  )
}
