import { useReach, useWork } from '../client/reach.ts'
import type { Run } from '../client/wire.ts'

/** Jobs that no agent has taken yet can be taken back. */
const cancellable = ['open', 'escrowed', 'queued']

/** Takes a job back; once its agent has it, the button is gone. */
export const Cancel = ({ run, look }: { run: Run; look(): void }) => {
  const { api } = useReach()
  const work = useWork()
  if (!run.job || !cancellable.includes(run.job.state)) return null
  const cancel = () =>
    work.run(async () => {
      await api.post(`/v1/hires/${run.run_id}/cancel`, { wait_ms: 0 })
      look()
    })
  return (
    <>
      {work.error && (
        <span class="s warn-text" role="alert">
          {work.error}
        </span>
      )}
      <button type="button" class="btn small" disabled={work.busy} onClick={cancel}>
        Cancel
      </button>
    </>
  )
}
