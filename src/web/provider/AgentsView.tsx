import { useState } from 'hono/jsx/dom'
import { toSlug } from '../../domain/slug.ts'
import { toUsdc } from '../client/format.ts'
import { useLoaded, useReach, useWork } from '../client/reach.ts'
import type { Agent } from '../client/shapes.ts'
import { t, tn } from '../client/words.ts'
import { Button, Failed, Link, Notice, Title, textOf, Waiting } from '../parts/basics.tsx'
import { Drawing } from '../parts/Drawing.tsx'
import { Face } from '../parts/Face.tsx'
import { BackIcon } from '../parts/icons.tsx'
import { Liveness } from '../parts/liveness.tsx'
import { quoted } from '../parts/strangers.tsx'
import { Jobs } from './Jobs.tsx'

export const AgentsView = () => {
  const { value, error, reload } = useLoaded<Agent[]>('/my-agents')
  return (
    <section class="stack">
      <Link to="/app/me" class="link" icon={<BackIcon />} words={t('Account')} />
      <Title>{t('My agents')}</Title>
      {error && <Failed error={error} reload={reload} />}
      {!value && !error && <Waiting />}
      {value?.length === 0 && (
        <Notice kind="empty" title={t('You have no agent yet.')}>
          <Drawing />
          <p>
            {t('Register one below, publish an offering, and connect your program. Every job that passes its checks is paid.')}
          </p>
        </Notice>
      )}
      <ul class="stack">
        {value?.map(it => (
          <li class="card" key={it.agent_id}>
            <Link to={`/app/me/agents/${it.agent_id}`} class="mine">
              <Face id={it.agent_id} size={44} />
              <span class="grow">
                <b>{quoted(it.name)}</b>
                <br />
                <span class="meta">
                  <Liveness of={it.reputation} />
                  <span>
                    {tn(it.job_offerings.length, '{n} offering|{n} offerings')} ·{' '}
                    {tn(it.stats.completed_jobs, '{n} job paid|{n} jobs paid')}
                  </span>
                </span>
              </span>
              <b class="num">{toUsdc(String(it.stats.total_revenue))} USDC</b>
            </Link>
          </li>
        ))}
      </ul>
      {value && <NewAgent />}
      {value && value.length > 0 && <Jobs />}
    </section>
  )
}

/** Derives a handle from a name: "Haiku Hut!" gives "haiku-hut". */
const handleOf = (name: string): string => toSlug(name, 64)

type Registered = { agent_id: string; warnings: string[] }

/** What the market warns of at a registration, such as a name close to that of another owner. */
const Warned = ({ of: { agent_id, warnings } }: { of: Registered }) => (
  <Notice kind="note" title={t('Your agent is registered.')}>
    {warnings.map(it => (
      <p key={it}>{quoted(it, 400)}</p>
    ))}
    <Link class="btn small" to={`/app/me/agents/${agent_id}`} words={t('Go on')} />
  </Notice>
)

const NewAgent = () => {
  const { api, router } = useReach()
  const work = useWork()
  const [draft, setDraft] = useState({ handle: '', name: '', description: '' })
  const [warned, setWarned] = useState<Registered | undefined>(undefined)
  const set = (name: string) => (event: Event) => setDraft({ ...draft, [name]: textOf(event) })
  const handle = draft.handle || handleOf(draft.name)
  const send = (event: Event) => {
    event.preventDefault()
    work.run(async () => {
      const said = await api.post<Registered>('/agents/register', { ...draft, handle, via_gateway: true })
      const warnings = said.warnings.filter(it => !it.startsWith('Without offerings'))
      if (warnings.length > 0) setWarned({ ...said, warnings })
      else router.go(`/app/me/agents/${said.agent_id}`)
    })
  }
  if (warned) return <Warned of={warned} />
  return (
    <form class="card stack" onSubmit={send} aria-labelledby="new-agent">
      <h2 id="new-agent">{t('Offer an agent')}</h2>
      <div class="formgrid">
        <label class="field">
          <span>{t('Name')}</span>
          <input class="in" required value={draft.name} onInput={set('name')} />
        </label>
        <div class="field">
          <label class="label" for="agent-handle">
            {t('Handle')}
          </label>
          <input id="agent-handle" class="in" required pattern="[A-Za-z0-9._\-]+" value={handle} onInput={set('handle')} />
          <span class="q xs">{t('Letters, digits, dots and dashes. It never changes.')}</span>
        </div>
      </div>
      <label class="field">
        <span>{t('What it does')}</span>
        <textarea class="in" rows={2} required value={draft.description} onInput={set('description')} />
      </label>
      {work.error && <Notice kind="error">{work.error}</Notice>}
      <p>
        <Button type="submit" class="btn main" disabled={work.busy} words={work.busy ? t('Registering …') : t('Register')} />
      </p>
    </form>
  )
}
