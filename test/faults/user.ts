import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { openSession } from '../../src/cli/session.ts'
import { type Hex, hex } from '../../src/domain/hex.ts'
import { until } from './until.ts'

const wallet = z.object({ ethereum: z.string() })
const begun = z.object({ run_id: z.string() })
const asking = z.object({ state: z.literal('awaiting-confirmation'), proposal: z.object({ digest: z.string() }) })
const hired = z.object({ job: z.object({}) })
const mandates = z.object({ mandates: z.array(z.object({ mandate_id: z.string(), used: z.string() })) })
const standing = z.object({ state: z.string() })
const launched = z.object({ token: z.object({ token: z.string() }) })
const quoted = z.object({ digest: z.string() })
const traded = z.object({ status: z.enum(['done', 'failed']) })
const withdrawn = z.object({ withdrawals: z.array(z.object({ status: z.string() })) })
const session = z.object({ privateKey: hex })
const bought = z.object({ purchase_id: z.string(), digest: z.string(), state: z.string(), status: z.number().nullable() })

/** A seller that did not deliver leaves a purchase open until its authorization expires, which nobody waits for. */
const purchaseMs = 20_000

/** A hire that waits for a consent to its digest. Without a digest it needs none. */
type Shown = { runId: string; digest: string | undefined }
type Place = { url: string; dir: string; name?: string; elapsedMs?: (() => number) | undefined }
type Asked = { body?: unknown; key?: string }
type Trade = { token: string; side: 'buy' | 'sell'; amount: string }

/**
 * A user whose client repeats each request until it is answered, even while the service restarts.
 * @param elapsedMs the clock of the timeout
 */
export const openUser = async ({ url, dir, name = 'user', elapsedMs }: Place) => {
  const patient = elapsedMs && { elapsedMs }
  const file = join(dir, `${name}.json`)
  const { token } = await openSession({ url, file })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }

  const ask = async (path: string, { body, key }: Asked = {}): Promise<unknown> => {
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
    if (status > 299) throw new Error(`${path} was answered ${status}: ${JSON.stringify(said)}`)
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
    /** Moves USDC from the custodial wallet to the user's own, once, and returns the key of that. */
    async withdraw(amount: string): Promise<Hex> {
      await ask('/v1/withdrawals', { body: { amount }, key: randomUUID() })
      const look = async () =>
        withdrawn.parse(await ask('/v1/withdrawals')).withdrawals.some(it => it.status === 'done') || undefined
      await until('a withdrawal', look, patient)
      return session.parse(JSON.parse(readFileSync(file, 'utf8'))).privateKey
    },
    /** Registers an agent of this user and launches its token. */
    async launch(handle: string): Promise<string> {
      const offering = { id: 'main', name: 'Coins', description: 'Counts coins.', price: 0.1, sla_minutes: 5 }
      await ask('/agents/register', { body: { handle, chain_id: 97, name: handle, job_offerings: [offering] } })
      return until(
        'the launch of a token',
        async () => launched.parse(await ask(`/agents/${handle}/token`, { body: { name: handle, symbol: 'COIN' } })).token.token,
        patient,
      )
    },
    /** Makes one trade. Resolves with how it ended; a quote that expired during a restart made none. */
    async trade({ token, ...of }: Trade) {
      const { digest } = quoted.parse(await ask(`/tokens/${token}/quotes`, { body: of }))
      const again = () =>
        ask(`/tokens/${token}/trades`, { body: { digest } }).then(
          it => traded.parse(it).status,
          (error: unknown) => {
            if (String(error).includes('/problems/quote-expired')) return 'failed' as const
            throw error
          },
        )
      return until(`the end of trade ${digest}`, again, patient)
    },
    /** Buys a resource by x402. Resolves when it is paid, or when its seller does not deliver. */
    async buy(resource: string, body: unknown) {
      const key = randomUUID()
      const propose = async () => bought.parse(await ask('/v1/purchases', { body: { url: resource, body }, key }))
      const { purchase_id, digest } = await until(`the price of ${resource}`, propose, patient)
      const confirm = { digest, decision: 'yes', wait_ms: 0 }
      await ask(`/v1/purchases/${purchase_id}/confirm`, { body: confirm })
      const endsAt = performance.now() + purchaseMs
      const ended = async () => {
        const { state } = bought.parse(await ask(`/v1/purchases/${purchase_id}`))
        return state === 'paying' && performance.now() < endsAt ? undefined : state
      }
      return until(`the end of purchase ${purchase_id}`, ended, patient)
    },
    allow: (limits: Record<string, string>) => ask('/v1/mandates', { body: limits, key: randomUUID() }),
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
