import { randomUUID } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { z } from 'zod'
import { parseJson } from '../domain/json.ts'
import { limits } from '../domain/limits.ts'
import { answerA2a, type Message, refusedCall } from './a2a.ts'
import { toServedCard } from './card.ts'
import type { createGuard } from './guard.ts'
import { revision } from './input.ts'
import { jobTerms, toJobContext } from './job.ts'
import type { AgentOptions, Profile } from './profile.ts'
import { work } from './work.ts'

const invocation = z.object({
  message: z.string(),
  context: jobTerms.extend({ run_id: z.string().nullish(), job_id: z.string().nullish(), revision }).loose().nullish(),
})

type SurfaceDeps = {
  guard: ReturnType<typeof createGuard>
  profile: Profile
  handler: AgentOptions['handler']
  agentId: () => string
  tell: (jobId: string, text: string) => Promise<unknown>
  signal: AbortSignal
}

/** Creates the agent's own HTTP server (specification, Local surface of an agent service). */
export const createSurface = ({ guard, profile, handler, agentId, tell, signal: stopping }: SurfaceDeps) => {
  const app = new Hono()
  for (const path of ['/', '/.well-known/agent-card.json'])
    app.get(path, c => c.json(toServedCard(profile, profile.endpointUrl || new URL(c.req.url).origin, agentId())))
  for (const path of ['/health', '/healthz']) app.get(path, c => c.json({ status: 'healthy', agent: profile.handle }))

  const tooLarge = bodyLimit({
    maxSize: limits.callBytes,
    // The rest of the body stays unread, so this connection takes no other request (RFC 9110, 15.5.14).
    onError: c => c.json({ success: false, error: 'the body is too large' }, 413, { connection: 'close' }),
  })
  app.post('/invoke', tooLarge, async c => {
    const body = parseJson(await c.req.text())
    if (body === undefined) return c.json({ success: false, error: 'the body is not JSON' }, 400)
    const asked = invocation.safeParse(body)
    if (!asked.success) {
      const isMessage = asked.error.issues.some(({ path: [member] }) => member === undefined || member === 'message')
      const error = isMessage ? 'message must be a string' : 'context must be an object with texts as run_id and job_id'
      return c.json({ success: false, error }, 422)
    }

    const { message, context } = asked.data
    const refusal = await guard(c, { message, jobId: context?.job_id ?? undefined, offeringId: context?.offering_id })
    if (refusal) return c.json({ success: false, error: refusal }, 401)

    const job = context?.job_id ? { job: toJobContext(context.job_id, context), uploadUrl: context.upload_url } : {}
    const signal = AbortSignal.any([stopping, c.req.raw.signal])
    const outcome = await work(handler, { text: message, revision: context?.revision, signal, tell, ...job })
    const run = { run_id: context?.run_id ?? `run_${randomUUID()}`, agent_id: agentId() }
    // A failed handler is a normal answer, because existing callers expect status 200.
    return c.json({ ...run, success: !('error' in outcome), content: '', ...outcome })
  })

  const answer = async (c: Context, { context, ...call }: Message) => {
    const refusal = await guard(c, call)
    if (refusal) throw refusedCall(refusal)
    const terms = jobTerms.parse(context)
    const job = call.jobId === undefined ? {} : { job: toJobContext(call.jobId, terms), uploadUrl: terms.upload_url }
    const signal = AbortSignal.any([stopping, c.req.raw.signal])
    return work(handler, { text: call.message, revision: revision.parse(context.revision), signal, tell, ...job })
  }
  // Clients of A2A 0.3 call the address of the card itself.
  for (const path of ['/', '/a2a'])
    app.post(path, tooLarge, async c => {
      const version = c.req.header('a2a-version') ?? ''
      return c.json(await answerA2a({ body: await c.req.text(), version, answer: message => answer(c, message) }))
    })

  app.notFound(c => c.json({ error: 'there is nothing here' }, 404))
  app.onError((_error, c) => c.json({ error: 'something went wrong here' }, 500))
  return app
}
