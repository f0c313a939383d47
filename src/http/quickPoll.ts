import { limits } from '../domain/limits.ts'
import { createBounded } from '../operations/gateway/bounded.ts'
import { toPoller } from '../operations/gateway/pollJob.ts'
import type { Deps } from '../operations/operation.ts'
import type { SourceOf } from './source.ts'

const path = '/gateway/jobs/poll?'
const nothing = { 'content-type': 'application/json' }

/** A longer query is read again each time, so that strangers cannot fill the memory with theirs. */
const rememberedChars = 200

type Named = { text: string; isFullId: boolean }

/** The agent that the query of a poll names; undefined for a poll that waits. */
const agentIn = (query: string): Named | undefined => {
  const asked = new URLSearchParams(query)
  const wait = asked.get('timeout') ?? '0'
  if (wait !== '0' && wait !== '0.0') return undefined
  const text = asked.get('agent') ?? ''
  return { text, isFullId: toPoller(text, undefined).isFullId }
}

/**
 * Answers a poll that finds no job before routing, parsing and validation: on an idle market nearly all requests are such
 * polls. Returns undefined for every other request, which then takes the normal route and gets the same answer. That includes
 * polls with a credential or a timeout, and polls of agents that are not cached, require a credential, may have a job, or
 * are held by another poller.
 */
export const createQuickPoll = (
  { gateway: { access, presence, pollers }, work }: Pick<Deps, 'gateway' | 'work'>,
  sourceOf: SourceOf,
) => {
  /** An agent sends the same query with each poll. */
  const agents = createBounded<Named>(limits.presences)
  return ({ method, url, headers }: Request, env?: object): Response | undefined => {
    const at = url.indexOf(path)
    if (at < 0 || url.indexOf('/', 'https://'.length) !== at || method !== 'GET') return undefined
    const query = url.slice(at + path.length)
    const before = agents.get(query)
    const named = before ?? agentIn(query)
    const known = named && access.remembered(named.text)
    if (!named || !known?.agent || known.isStrict || work.mayHave(known.agent.id)) return undefined
    if (headers.has('authorization') || headers.has('x-agent-secret')) return undefined
    const source = sourceOf({ env, req: { header: name => headers.get(name) ?? undefined } })
    if (!pollers.keep(known.agent.id, { source, isFullId: named.isFullId })) return undefined
    if (!before && query.length <= rememberedChars) agents.set(query, named)
    return presence.mayAsk(known.agent.id, source) ? new Response('{}', { headers: nothing }) : undefined
  }
}
