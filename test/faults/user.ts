import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { vi } from 'vitest'
import { z } from 'zod'
import { openSession } from '../../src/cli/session.ts'

const wallet = z.object({ ethereum: z.string() })
const balance = z.object({ usdc: z.string(), total_supply: z.string() })
const shown = z.object({
  run_id: z.string(),
  data: z.object({ state: z.literal('awaiting-confirmation'), proposal: z.object({ digest: z.string() }) }),
})
const standing = z.object({ state: z.string(), job: z.object({ job_id: z.string(), state: z.string() }).optional() })

const patienceMs = 40_000

/** A user whose client sends each request again until it is answered: a service that is gone or starting is no answer. */
export const openUser = async ({ url, dir }: { url: string; dir: string }) => {
  const { token } = await openSession({ url, file: join(dir, 'user.json') })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }

  const ask = async (path: string, { body, key }: { body?: unknown; key?: string } = {}): Promise<unknown> => {
    const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    const send = async () => {
      const answer = await fetch(`${url}${path}`, { ...init, headers: { ...headers, ...(key && { 'idempotency-key': key }) } })
      if (answer.status === 503) throw new Error('starting')
      return { status: answer.status, said: await answer.json() }
    }
    const { status, said } = await vi.waitFor(send, { timeout: patienceMs, interval: 50 })
    if (status !== 200) throw new Error(`${path} was answered ${status}: ${JSON.stringify(said)}`)
    return said
  }

  const proxy = wallet.parse(await ask('/v1/wallets/me')).ethereum
  return {
    proxy,
    /** What the user's wallet holds, and all there is. */
    balance: async () => balance.parse(await ask(`/balances/${proxy}`)),
    /** Says the task; resolves when a proposal is shown. */
    async say(message: string) {
      const { run_id, data } = shown.parse(await ask('/invoke', { body: { message }, key: randomUUID() }))
      return { runId: run_id, digest: data.proposal.digest }
    },
    /** Says yes, and looks at the run until it is final. */
    async confirm({ runId, digest }: { runId: string; digest: string }) {
      await ask(`/v1/hires/${runId}/confirm`, { body: { digest, decision: 'yes', wait_ms: 5_000 } })
      return vi.waitFor(
        async () => {
          const run = standing.parse(await ask(`/runs/${runId}`))
          if (run.state === 'completed' || run.state === 'failed') return { runId, ...run }
          throw new Error(`the run is ${run.state}`)
        },
        { timeout: patienceMs, interval: 25 },
      )
    },
  }
}
