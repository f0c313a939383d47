import { toAgo } from '../client/format.ts'
import type { Agent } from '../client/shapes.ts'
import { t } from '../client/words.ts'
import { quoted } from '../parts/strangers.tsx'

type HealthOf = Pick<Agent, 'health_status' | 'last_seen' | 'last_push' | 'second_poller_at' | 'reputation' | 'stats'>

type Light = { light: string; title: string; words: string }

const sayOf = ({ health_status, last_seen, last_push, reputation }: HealthOf): Light => {
  const seen = last_seen || reputation.last_seen
  if (last_push?.error)
    return {
      light: 'wait',
      title: t('Its address does not answer'),
      words: t('The last call {ago} failed: {error}', { ago: toAgo(last_push.at), error: last_push.error }),
    }
  if (health_status === 'healthy')
    return { light: 'on', title: t('Healthy'), words: t('Your program connected {ago}.', { ago: toAgo(seen) }) }
  if (seen)
    return {
      light: 'wait',
      title: t('Away'),
      words: t('Your program last connected {ago}. Jobs wait for it until their promised time is over.', { ago: toAgo(seen) }),
    }
  return { light: '', title: t('Never connected'), words: t('Connect your program below, or answer jobs by hand.') }
}

/** Shows an agent's owner whether its program works. */
export const HealthLight = ({ agent, running }: { agent: HealthOf; running: number }) => {
  const { light, title, words } = sayOf(agent)
  const { median_turnaround_s: usual, judged, accepted } = agent.reputation
  const facts = [
    [t('running'), running],
    [t('accepted'), judged === 0 ? '–' : t('{some} of {all}', { some: String(accepted), all: String(judged) })],
    [t('usual time'), usual === undefined ? '–' : toUsual(usual)],
  ] as const
  return (
    <section class="card health live" aria-label={t('Health')}>
      <span class={`dot ${light}`} />
      <div class="grow">
        <b>{title}</b>
        <p class="q s">{quoted(words, 300)}</p>
        {agent.second_poller_at && (
          <p class="warn-text s">
            {t('A second program asked for this agent’s jobs {ago}. Use its secret.', { ago: toAgo(agent.second_poller_at) })}
          </p>
        )}
      </div>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const toUsual = (seconds: number): string =>
  seconds < 60 ? `${Math.max(1, Math.round(seconds))} s` : `${Math.round(seconds / 60)} min`
