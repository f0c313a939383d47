import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { openSession } from '../../src/cli/session.ts'
import { until } from './until.ts'

const wallet = z.object({ ethereum: z.string() })
const begun = z.object({ run_id: z.string() })
const asking = z.object({ state: z.literal('awaiting-confirmation'), proposal: z.object({ digest: z.string() }) })
const hired = z.object({ job: z.object({}) })
const mandates = z.object({ mandates: z.array(z.object({ mandate_id: z.string(), used: z.string() })) })
const standing = z.object({ state: z.string() })

/** A hire that waits for a consent to its digest. Without a digest it needs none. */
type Shown = { runId: string; digest: string | undefined }
type Place = { url: string; dir: string; name?: string; elapsedMs?: (() => number) | undefined }
type Asked = { body?: unknown; key?: string; status?: number }

/**
 * A user whose client repeats each request until it is answered, even while the service restarts.
 * @param elapsedMs the clock of the timeout
 */
export const openUser = async ({ url, dir, name = 'user', elapsedMs }: Place) => {
  const patient = elapsedMs && { elapsedMs }
  const { token } = await openSession({ url, file: join(dir, `${name}.json`) })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }

  const ask = async (path: string, { body, key, status: right = 200 }: Asked = {}): Promise<unknown> => {
    const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    const { status, said } = await until(
      `an answer of ${path}`,
      async () => {
        const answer = await fetch(`${url}${path}`, { ...init, headers: { ...headers, ...(key && { 'idempotency-key': key }) } })
        if (answer.status >= 500) throw new Error(`${answer.status} ${await answer.text()}`)
        return { status: answer.status, said: await answer.json() }
      },
      patient,
    )
    if (status !== right) throw new Error(`${path} was answered ${status}: ${JSON.stringify(said)}`)
    return said
  }

  const { ethereum: proxy } = wallet.parse(await ask('/v1/wallets/me'))
  const agree = async ({ runId, digest }: Shown) =>
    digest && ask(`/v1/hires/${runId}/confirm`, { body: { digest, decision: 'yes', wait_ms: 5_000 } })
  return {
    proxy,
    token,
    /** Sends a task. Resolves when a proposal is shown, or when a job was opened under a mandate. */
    async say(message: string): Promise<Shown> {
      const { run_id: runId } = begun.parse(await ask('/invoke', { body: { message, wait_ms: 0 }, key: randomUUID() }))
      return until(
        `a proposal or a job of run ${runId}`,
        async () => {
          const run = await ask(`/runs/${runId}`)
          if (hired.safeParse(run).success) return { runId, digest: undefined }
          return asking.safeParse(run).success ? { runId, digest: asking.parse(run).proposal.digest } : undefined
        },
        patient,
      )
    },
    allow: (limits: Record<string, string>) => ask('/v1/mandates', { body: limits, key: randomUUID(), status: 201 }),
    async mandates() {
      return mandates.parse(await ask('/v1/mandates')).mandates
    },
    agree,
    /** Consents, and reads the run until nothing is running in it. */
    async confirm({ runId, digest }: Shown) {
      await agree({ runId, digest })
      return until(
        `the end of run ${runId}`,
        async () => {
          const { state } = standing.parse(await ask(`/runs/${runId}`))
          return state === 'working' || state === 'awaiting-job' ? undefined : { runId, state }
        },
        patient,
      )
    },
  }
}
