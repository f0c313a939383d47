import { type CallToolResult, createRequestStateCodec, type McpServer, type ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { secondMs } from '../../domain/durations.ts'
import { nobody } from '../../domain/hex.ts'
import { isObject, sha256 } from '../../domain/json.ts'
import { Problem } from '../../domain/problem.ts'
import { confirmHire } from '../../operations/hires/confirmHire.ts'
import { isLarge, readYesLimit } from '../../operations/hires/yesLimit.ts'
import { parseInput } from '../../operations/operation.ts'
import type { Clock, Tables } from '../../ports.ts'
import { pays } from '../annotations.ts'
import { answer, type ToolDeps } from '../answer.ts'
import { clientCapabilities } from '../asking.ts'
import { runView, showRun } from '../runView.ts'
import { toInputSchema, toOutputSchema } from '../tool.ts'
import { readSlipPage } from './slipPage.ts'

const extension = 'io.modelcontextprotocol/ui'
const appType = 'text/html;profile=mcp-app'
const slipUri = 'ui://agent-market/slip.html'
const nonceKey = 'agent-market/nonce'
export const slipTool = 'confirm_slip'

const able = z.object({ extensions: z.object({ [extension]: z.object({ mimeTypes: z.array(z.string()) }) }) })
const declaring = z.object({
  params: z.object({
    capabilities: z.unknown().optional(),
    _meta: z.object({ [clientCapabilities]: z.unknown().optional() }).optional(),
  }),
})

/** Whether a request says that its client shows MCP apps: a 2025 client when it connects, a 2026 client in each request. */
export const showsApps = (body: unknown): boolean => {
  const { data } = declaring.safeParse(body)
  const said = able.safeParse(data?.params.capabilities ?? data?.params._meta?.[clientCapabilities])
  return said.success && said.data.extensions[extension].mimeTypes.includes(appType)
}

const proposed = z.object({ run_id: z.string(), digest: z.string(), once: z.string() })
/** A proposal expires after fifteen minutes, so what confirms it does as well. */
const lifeS = 15 * 60

type Reach = { key: Uint8Array; store: Pick<Tables, 'spendCode'>; clock: Clock }
/**
 * Makes and takes the nonces with which the app confirms. A nonce travels to the app beside a result, where no model reads it. It
 * confirms one proposal, once: with the same key and store in every process, each of them takes the nonces of the others.
 */
export const createNonces = ({ key, store, clock }: Reach) => {
  const codec = createRequestStateCodec<z.infer<typeof proposed>>({ key, ttlSeconds: lifeS })
  /** The write decides which of two uses is the first. */
  const spend = (once: string) =>
    store.spendCode({ code: sha256(`mcp-app:${once}`), wallet: nobody, until: clock.now() + lifeS * secondMs, claimable: false })
  return {
    make: (of: { run_id: string; digest: string }) => codec.mint({ ...of, once: crypto.randomUUID() }),
    /** @throws Problem person-needed for every other text, and for a nonce that was used */
    use: async (nonce: string, ctx: ServerContext) => {
      const said = proposed.safeParse(await Promise.resolve(codec.verify(nonce, ctx)).catch(() => undefined))
      if (!said.success || !(await spend(said.data.once))) throw new Problem('person-needed', onlyApp)
      return said.data
    },
  }
}
export type Nonces = ReturnType<typeof createNonces>

const onlyApp = 'Only the app that your user sees can call this. Call confirm_hire: your user answers at approve_url.'

/** Members of a tool whose result the app draws. */
export const drawn = { ui: { resourceUri: slipUri } }

const terms = z.object({ digest: z.string(), total: z.string() })
const awaiting = z.object({
  run_id: z.string(),
  state: z.literal('awaiting-confirmation'),
  proposal: terms.optional(),
  purchase: terms.optional(),
  plan: terms.optional(),
})

type Drawing = Pick<ToolDeps, 'call'> & { nonces?: Nonces | undefined }
/** The result with the nonce of its open proposal. A yes above the user's limit belongs on the page, so it gets none. */
export const withNonce = async <R>(result: R, { nonces, call }: Drawing): Promise<R | (R & CallToolResult)> => {
  if (!nonces || !isObject(result)) return result
  const { data } = awaiting.safeParse(result.structuredContent)
  const terms = data?.proposal ?? data?.purchase ?? data?.plan
  if (!data || !terms) return result
  const { usdc } = readYesLimit.output.parse(await call(readYesLimit, {}))
  if (isLarge(terms, usdc)) return result
  const nonce = await nonces.make({ run_id: data.run_id, digest: terms.digest })
  return Object.assign(result, { _meta: { [nonceKey]: nonce } })
}

const input = z.object({ nonce: z.string().max(4_000), decision: z.enum(['yes', 'no']) })
const schemas = { inputSchema: toInputSchema(input), outputSchema: toOutputSchema(runView) }

/** Adds the app and the tool that it confirms with. Hosts hide the tool from the model; without a nonce it does nothing. */
export const registerSlip = (server: McpServer, { nonces, ...deps }: ToolDeps & { nonces: Nonces }) => {
  const title = 'Proposal'
  server.registerResource('slip', slipUri, { title, mimeType: appType }, async at => ({
    contents: [{ uri: at.href, mimeType: appType, text: await readSlipPage() }],
  }))
  const shown = { title: 'Answer in the app', description: 'For the app only.', annotations: pays, ...schemas }
  const meta = { _meta: { ui: { resourceUri: slipUri, visibility: ['app'] } } }
  server.registerTool(slipTool, { ...shown, ...meta }, (raw, ctx) =>
    answer(deps, async () => {
      const { nonce, decision } = parseInput(input, raw)
      const { run_id, digest } = await nonces.use(nonce, ctx)
      const how = { isApproved: decision === 'yes' }
      const run = confirmHire.output.parse(await deps.call(confirmHire, { run_id, digest, decision, wait_ms: 0 }, how))
      return chars => showRun(run, { chars })
    }),
  )
}
