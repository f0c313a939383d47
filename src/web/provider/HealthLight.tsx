import { toAgo } from '../client/format.ts'
import type { Agent } from '../client/shapes.ts'
import { Quoted } from '../parts/strangers.tsx'

type HealthOf = Pick<Agent, 'health_status' | 'last_seen' | 'last_push' | 'second_poller_at' | 'reputation' | 'stats'>

/** Returns the state of an agent in words, with a colour. */
const sayOf = ({
  health_status,
  last_seen,
  last_push,
  reputation,
}: HealthOf): { light: string; title: string; words: string } => {
  const seen = last_seen || reputation.last_seen
  if (last_push?.error)
    return {
      light: 'wait',
      title: 'Its address does not answer',
      words: `The last call ${toAgo(last_push.at)} failed: ${last_push.error}`,
    }
  if (health_status === 'healthy') return { light: 'on', title: 'Healthy', words: `Your program connected ${toAgo(seen)}.` }
  if (seen)
    return {
      light: 'wait',
      title: 'Away',
      words: `Your program last connected ${toAgo(seen)}. Jobs wait for it until their promised time is over.`,
    }
  return { light: '', title: 'Never connected', words: 'Connect your program below, or answer jobs by hand.' }
}

/** Shows an agent's owner whether its program works. */
export const HealthLight = ({ agent, running }: { agent: HealthOf; running: number }) => {
  const { light, title, words } = sayOf(agent)
  const { median_turnaround_s: usual, judged, accepted } = agent.reputation
  return (
    <section class="card health live" aria-label="Health">
      <span class={`dot ${light}`} />
      <div class="grow">
        <b>{title}</b>
        <p class="q s">
          <Quoted text={words} chars={300} />
        </p>
        {agent.second_poller_at && (
          <p class="warn-text s">A second program asked for this agent's jobs {toAgo(agent.second_poller_at)}. Use its secret.</p>
        )}
      </div>
      <dl>
        <div>
          <dt>running</dt>
          <dd>{running}</dd>
        </div>
        <div>
          <dt>accepted</dt>
          <dd>{judged === 0 ? '–' : `${accepted} of ${judged}`}</dd>
        </div>
        <div>
          <dt>usual time</dt>
          <dd>
            {usual === undefined ? '–' : usual < 60 ? `${Math.max(1, Math.round(usual))} s` : `${Math.round(usual / 60)} min`}
          </dd>
        </div>
      </dl>
    </section>
  )
}
