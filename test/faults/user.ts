import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { openSession } from '../../src/cli/session.ts'
import { until } from './until.ts'

const wallet = z.object({ ethereum: z.string() })
const shown = z.object({
  run_id: z.string(),
  data: z.object({ state: z.literal('awaiting-confirmation'), proposal: z.object({ digest: z.string() }) }),
})
const standing = z.object({ state: z.string() })

/** A user whose client sends each request again until it is answered: a service that is gone or starting is no answer. */
export const openUser = async ({ url, dir, name = 'user' }: { url: string; dir: string; name?: string }) => {
  const { token } = await openSession({ url, file: join(dir, `${name}.json`) })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }

  const ask = async (path: string, { body, key }: { body?: unknown; key?: string } = {}): Promise<unknown> => {
    const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    const { status, said } = await until(`an answer of ${path}`, async () => {
      const answer = await fetch(`${url}${path}`, { ...init, headers: { ...headers, ...(key && { 'idempotency-key': key }) } })
      if (answer.status >= 500) throw new Error(`${answer.status} ${await answer.text()}`)
      return { status: answer.status, said: await answer.json() }
    })
    if (status !== 200) throw new Error(`${path} was answered ${status}: ${JSON.stringify(said)}`)
    return said
  }

  const { ethereum: proxy } = wallet.parse(await ask('/v1/wallets/me'))
  const agree = ({ runId, digest }: { runId: string; digest: string }) =>
    ask(`/v1/hires/${runId}/confirm`, { body: { digest, decision: 'yes', wait_ms: 5_000 } })
  return {
    proxy,
    /** Says the task; resolves when a proposal is shown. */
    async say(message: string) {
      const { run_id, data } = shown.parse(await ask('/invoke', { body: { message }, key: randomUUID() }))
      return { runId: run_id, digest: data.proposal.digest }
    },
    agree,
    /** Says yes, and looks at the run until nothing is under way in it. */
    async confirm({ runId, digest }: { runId: string; digest: string }) {
      await agree({ runId, digest })
      return until(`the end of run ${runId}`, async () => {
        const { state } = standing.parse(await ask(`/runs/${runId}`))
        return state === 'working' || state === 'awaiting-job' ? undefined : { runId, state }
      })
    },
  }
}
