import type { Deps } from '../operations/operation.ts'

const path = '/gateway/jobs/poll?'
const nothing = { 'content-type': 'application/json' }

/**
 * The answer to a poll that finds nothing, before any router, parser or schema: nearly all requests of a market at rest are
 * this one. Whatever is not plainly that (a credential, a wait, an agent that is not remembered, is guarded, or may have
 * work) goes the common way, which answers the same.
 */
export const createQuickPoll =
  ({ gateway: { access, presence }, work }: Pick<Deps, 'gateway' | 'work'>) =>
  ({ method, url, headers }: Request): Response | undefined => {
    const at = url.indexOf(path)
    if (at < 0 || url.indexOf('/', 'https://'.length) !== at || method !== 'GET') return undefined
    const asked = new URLSearchParams(url.slice(at + path.length))
    const wait = asked.get('timeout') ?? '0'
    if (wait !== '0' && wait !== '0.0') return undefined
    const known = access.remembered(asked.get('agent') ?? '')
    if (!known?.agent || known.isStrict || work.mayHave(known.agent.id)) return undefined
    if (headers.has('authorization') || headers.has('x-agent-secret')) return undefined
    return presence.mayAsk(known.agent.id) ? new Response('{}', { headers: nothing }) : undefined
  }
