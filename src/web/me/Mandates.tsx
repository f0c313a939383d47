import { useRef, useState } from 'hono/jsx/dom'
import { dayMs } from '../../domain/durations.ts'
import type { MandateRecord as Mandate } from '../../records/mandate.ts'
import { useEffect } from '../client/effects.ts'
import { toFullTime, toUsdc } from '../client/format.ts'
import { useLoaded, useReach, useWork } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { Button, Failed, Notice, textOf } from '../parts/basics.tsx'
import { Filled } from '../parts/Filled.tsx'
import { PlusIcon } from '../parts/icons.tsx'
import { Select } from '../parts/LineForm.tsx'

/**
 * The user's mandates: what the butler may spend without asking. New mandates apply to one chain; those of all chains are
 * listed.
 */
export const Mandates = ({ chainId }: { chainId: number }) => {
  const { value, error, reload } = useLoaded<{ mandates: Mandate[] }>('/v1/mandates')
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    // The chat leads here.
    if (location.hash === '#limits') section.current?.scrollIntoView()
  }, [value !== undefined])
  if (error) return <Failed error={error} reload={reload} />
  if (!value) return null
  const active = value.mandates.filter(it => !it.revoked_at)
  return (
    <section class="card" aria-labelledby="limits" ref={section}>
      <h2 id="limits">{t('Spending limits')}</h2>
      <p class="q s">{t('What your butler may spend without asking you first. Above a limit, it asks.')}</p>
      {active.length === 0 && <p class="after">{t('None: every hire waits for your yes.')}</p>}
      <ul class="limits">
        {active.map(it => (
          <Limit key={it.mandate_id} mandate={it} reload={reload} />
        ))}
      </ul>
      <NewLimit chainId={chainId} reload={reload} />
    </section>
  )
}

const limitSentence =
  'Limit {limit} USDC per {period}, at most {most} per job. Ask me above {ask}. Only for {words}. Ends after {days} days.'

const limitWords = {
  day: 'My butler may spend up to {most} a day, at most {job} a job, and asks above {ask}. Until {day}.',
  week: 'My butler may spend up to {most} a week, at most {job} a job, and asks above {ask}. Until {day}.',
  month: 'My butler may spend up to {most} a month, at most {job} a job, and asks above {ask}. Until {day}.',
} as const

const Limit = ({ mandate: it, reload }: { mandate: Mandate; reload(): void }) => {
  const { api } = useReach()
  const work = useWork()
  const end = () => work.run(() => api.remove(`/v1/mandates/${it.mandate_id}`), reload)
  const share = Number(it.used) / Math.max(Number(it.max_per_period), Number.EPSILON)
  return (
    <li>
      <p>
        <Filled
          words={t(limitWords[it.period], { ask: toUsdc(it.ask_above), day: toFullTime(it.expires_at) })}
          of={{ most: <b>{toUsdc(it.max_per_period)} USDC</b>, job: <b>{toUsdc(it.max_per_job)}</b> }}
        />
        {it.categories?.length > 0 && ` ${t('Only for: {words}.', { words: it.categories.join(', ') })}`}
      </p>
      <div class="row s after">
        <span class="track grow" aria-hidden="true">
          <i style={{ width: `${Math.min(100, Math.round(share * 100))}%` }} />
        </span>
        <span class="q num">{t('{part} of {whole} used', { part: toUsdc(it.used), whole: toUsdc(it.max_per_period) })}</span>
      </div>
      <Button class="link" disabled={work.busy} onClick={end} words={t('End it')} />
      {work.error && <Notice kind="error">{work.error}</Notice>}
    </li>
  )
}

const fresh = { max_per_job: '1.00', max_per_period: '5.00', period: 'week', ask_above: '0.50', categories: '', days: '30' }

const periods = ['day', 'week', 'month'] as const

const toLimit = ({ days, categories, ...rest }: typeof fresh) => ({
  ...rest,
  categories: categories
    .split(',')
    .map(it => it.trim())
    .filter(Boolean),
  expires_at: new Date(Date.now() + Number(days) * dayMs).toISOString(),
})

const NewLimit = ({ chainId, reload }: { chainId: number; reload(): void }) => {
  const { api } = useReach()
  const work = useWork()
  const [draft, setDraft] = useState(fresh)
  const set = (name: string) => (event: Event) => setDraft({ ...draft, [name]: textOf(event) })
  const send = (event: Event) => {
    event.preventDefault()
    work.run(async () => {
      await api.post('/v1/mandates', { ...toLimit(draft), chain_id: chainId })
      setDraft(fresh)
      reload()
    })
  }
  const field = (name: Exclude<keyof typeof fresh, 'period'>, label: string, size: number) => (
    <input
      class="in small num"
      size={size}
      value={draft[name]}
      aria-label={label}
      required={name !== 'categories'}
      onInput={set(name)}
    />
  )
  return (
    <details>
      <summary class="btn small">
        <PlusIcon /> {t('New limit')}
      </summary>
      <form class="sentence" onSubmit={send}>
        <p>
          <Filled
            words={t(limitSentence)}
            of={{
              limit: field('max_per_period', t('Limit in USDC'), 5),
              period: (
                <Select
                  class="in small"
                  aria-label={t('Per')}
                  options={periods.map(it => [it, t(it)])}
                  chosen={draft.period}
                  set={period => setDraft({ ...draft, period })}
                />
              ),
              most: field('max_per_job', t('At most per job'), 5),
              ask: field('ask_above', t('Ask me above'), 5),
              words: field('categories', t('Only for (words, separated by commas)'), 12),
              days: field('days', t('Days'), 3),
            }}
          />
        </p>
        {work.error && <Notice kind="error">{work.error}</Notice>}
        <Button type="submit" class="btn" disabled={work.busy} words={t('Set this limit')} />
      </form>
    </details>
  )
}
