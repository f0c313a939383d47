import { toPoller } from '../operations/gateway/pollJob.ts'
import type { Deps } from '../operations/operation.ts'
import type { SourceOf } from './source.ts'

const path = '/gateway/jobs/poll?'
const nothing = { 'content-type': 'application/json' }

/**
 * Answers a poll that finds no job before routing, parsing and validation: on an idle market nearly all requests are such
 * polls. Returns undefined for every other request, which then takes the normal route and gets the same answer. That includes
 * polls with a credential or a timeout, and polls of agents that are not cached, require a credential, may have a job, or
 * are held by another poller.
 */
export const createQuickPoll =
  ({ gateway: { access, presence, pollers }, work }: Pick<Deps, 'gateway' | 'work'>, sourceOf: SourceOf) =>
  ({ method, url, headers }: Request, env?: object): Response | undefined => {
    const at = url.indexOf(path)
    if (at < 0 || url.indexOf('/', 'https://'.length) !== at || method !== 'GET') return undefined
    const asked = new URLSearchParams(url.slice(at + path.length))
    const wait = asked.get('timeout') ?? '0'
    if (wait !== '0' && wait !== '0.0') return undefined
    const text = asked.get('agent') ?? ''
    const known = access.remembered(text)
    if (!known?.agent || known.isStrict || work.mayHave(known.agent.id)) return undefined
    if (headers.has('authorization') || headers.has('x-agent-secret')) return undefined
    const source = sourceOf({ env, req: { header: name => headers.get(name) ?? undefined } })
    if (!pollers.keep(known.agent.id, toPoller(text, source))) return undefined
    return presence.mayAsk(known.agent.id, source) ? new Response('{}', { headers: nothing }) : undefined
  }
