import { useState } from 'hono/jsx/dom'
import { dayMs } from '../../domain/durations.ts'
import { toMoment } from '../client/format.ts'
import { useLoaded, useReach, useWork } from '../client/reach.ts'
import type { Mandate } from '../client/wire.ts'
import { Failed, Notice, textOf, Usdc } from '../parts/basics.tsx'

/** What the butler may spend without asking, on one chain to begin with; those of all chains are shown. */
export const Mandates = ({ chainId }: { chainId: number }) => {
  const { value, error, reload } = useLoaded<{ mandates: Mandate[] }>('/v1/mandates')
  if (error) return <Failed error={error} reload={reload} />
  if (!value) return null
  const standing = value.mandates.filter(it => !it.revoked_at)
  return (
    <section class="card stack" aria-labelledby="mandates">
      <h2 id="mandates">Mandates</h2>
      <p class="quiet">What your butler may spend without asking you first. Nothing else raises it.</p>
      {standing.length === 0 && <p>None: every hire waits for your yes.</p>}
      <ul class="plain stack">
        {standing.map(it => (
          <MandateRow key={it.mandate_id} mandate={it} reload={reload} />
        ))}
      </ul>
      <NewMandate chainId={chainId} reload={reload} />
    </section>
  )
}

const MandateRow = ({ mandate: it, reload }: { mandate: Mandate; reload(): void }) => {
  const { api } = useReach()
  const work = useWork()
  const revoke = () =>
    work.run(async () => {
      await api.remove(`/v1/mandates/${it.mandate_id}`)
      reload()
    })
  return (
    <li class="mandate">
      <p>
        Up to <Usdc amount={it.max_per_period} /> a {it.period}, at most <Usdc amount={it.max_per_job} /> a job; asks above{' '}
        <Usdc amount={it.ask_above} />
        {it.categories?.length > 0 && `, for ${it.categories.join(', ')}`}. Until {toMoment(it.expires_at)}.
      </p>
      <p class="row">
        <meter min={0} max={Number(it.max_per_period)} value={Number(it.used)} aria-label="Used" />
        <span class="quiet">
          <Usdc amount={it.used} /> used, <Usdc amount={it.left} /> left
        </span>
        <button type="button" disabled={work.busy} onClick={revoke}>
          Revoke
        </button>
      </p>
      {work.error && <Notice kind="error">{work.error}</Notice>}
    </li>
  )
}

const fresh = { max_per_job: '1.00', max_per_period: '5.00', period: 'week', ask_above: '0.50', categories: '', days: '30' }
const fields = [
  { name: 'max_per_period', words: 'At most, in USDC' },
  { name: 'max_per_job', words: 'At most a job' },
  { name: 'ask_above', words: 'Ask me above' },
  { name: 'categories', words: 'Only for (words, with commas)' },
  { name: 'days', words: 'For so many days' },
] as const

const NewMandate = ({ chainId, reload }: { chainId: number; reload(): void }) => {
  const { api } = useReach()
  const work = useWork()
  const [draft, setDraft] = useState(fresh)
  const set = (name: string) => (event: Event) => setDraft({ ...draft, [name]: textOf(event) })
  const send = (event: Event) => {
    event.preventDefault()
    const { days, categories, ...rest } = draft
    const list = categories.split(',').map(it => it.trim())
    work.run(async () => {
      await api.post('/v1/mandates', {
        ...rest,
        chain_id: chainId,
        categories: list.filter(Boolean),
        expires_at: new Date(Date.now() + Number(days) * dayMs).toISOString(),
      })
      setDraft(fresh)
      reload()
    })
  }
  return (
    <details>
      <summary>New mandate</summary>
      <form class="grid-form" onSubmit={send}>
        {fields.map(({ name, words }) => (
          <div class="field" key={name}>
            <label for={`mandate-${name}`}>{words}</label>
            <input id={`mandate-${name}`} value={draft[name]} required={name !== 'categories'} onInput={set(name)} />
          </div>
        ))}
        <div class="field">
          <label for="mandate-period">In each</label>
          <select id="mandate-period" value={draft.period} onChange={set('period')}>
            <option value="day">day</option>
            <option value="week">week</option>
            <option value="month">month</option>
          </select>
        </div>
        {work.error && <Notice kind="error">{work.error}</Notice>}
        <div class="row">
          <button type="submit" class="primary" disabled={work.busy}>
            Give mandate
          </button>
        </div>
      </form>
    </details>
  )
}
