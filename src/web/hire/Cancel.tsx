import { useReach, useWork } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { Button } from '../parts/basics.tsx'

/** Job states in which no agent has taken the job, so that the user can cancel it. */
const cancellable = ['open', 'escrowed', 'queued']

/** A button that cancels the job; it disappears once the agent has the job. */
export const Cancel = ({ runId, state, look }: { runId: string; state: string; look(): void }) => {
  const { api } = useReach()
  const work = useWork()
  if (!cancellable.includes(state)) return null
  const cancel = () => work.run(() => api.post(`/v1/hires/${runId}/cancel`, { wait_ms: 0 }), look)
  return (
    <>
      {work.error && (
        <span class="s warn-text" role="alert">
          {work.error}
        </span>
      )}
      <Button class="btn small" disabled={work.busy} onClick={cancel} words={t('Cancel')} />
    </>
  )
}
