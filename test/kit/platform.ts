import { EventEmitter, once } from 'node:events'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { z } from 'zod'
import { type JsonObject, jsonObject } from '../../src/domain/json.ts'

export const agentId = '97:0x8004a818bfb912233c491871b3d84c89a494bd9e:479'

export type Received = { path: string; body: JsonObject; authorization: string | undefined }

/** A fake platform that records requests, hands out the queued jobs in order, and fails as often as configured. */
export const startPlatform = async (port = 0) => {
  const told = new EventEmitter()
  const received: Received[] = []
  const jobs: JsonObject[] = []
  const failures = { register: 0, complete: 0, status: 500 }
  let refusal: { status: ContentfulStatusCode; body: JsonObject; times: number } | undefined

  const record = async (request: Request, authorization: string | undefined) => {
    const body = jsonObject.parse(await request.json())
    received.push({ path: new URL(request.url).pathname, body, authorization })
    told.emit('received')
  }

  const app = new Hono()
  app.post('/agents/register', async c => {
    await record(c.req.raw, c.req.header('authorization'))
    if (failures.register-- > 0) return c.json({ detail: 'not now' }, 503)
    if (refusal && refusal.times-- > 0) return c.json(refusal.body, refusal.status)
    return c.json({ agent_id: agentId })
  })
  const polls: string[] = []
  app.get('/gateway/jobs/poll', c => {
    polls.push(c.req.query('agent') ?? '')
    told.emit('received')
    return c.json(jobs.shift() ?? {})
  })
  app.post('/gateway/jobs/complete', async c => {
    await record(c.req.raw, c.req.header('authorization'))
    if (failures.complete-- > 0) return new Response('not now', { status: failures.status })
    return c.json({})
  })

  const server = createAdaptorServer({ fetch: app.fetch })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const bound = z.object({ port: z.number() }).parse(server.address())

  const until = async <T>(look: () => T | undefined): Promise<T> => {
    for (;;) {
      const seen = look()
      if (seen !== undefined) return seen
      await once(told, 'received')
    }
  }

  return {
    url: `http://127.0.0.1:${bound.port}`,
    port: bound.port,
    failures,
    polls,
    /** Refuses the next `times` registrations, all by default. */
    refuseWith: (status: ContentfulStatusCode, body: JsonObject, times = Number.POSITIVE_INFINITY) => {
      refusal = { status, body, times }
    },
    queue: (jobId: string, input: string, more: JsonObject = {}) =>
      jobs.push({ job_id: jobId, agent_id: agentId, job_input: input, chain_id: 97, ...more }),
    /** The requests to a path, once there are `count` of them. */
    told: (path: string, count = 1) =>
      until(() => {
        const found = received.filter(it => it.path === path)
        return found.length >= count ? found : undefined
      }),
    polledBy: (id: string) => until(() => (polls.includes(id) ? id : undefined)),
    close: async () => {
      server.close()
      if ('closeAllConnections' in server) server.closeAllConnections()
      await once(server, 'close').catch(() => undefined)
    },
  }
}
