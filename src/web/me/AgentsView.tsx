import { useState } from 'hono/jsx/dom'
import { toCount, toUsdc } from '../client/format.ts'
import { useLoaded, useReach, useWork } from '../client/reach.ts'
import type { Agent } from '../client/wire.ts'
import { Failed, Link, Notice, Time, Title, textOf, Waiting } from '../parts/basics.tsx'
import { Quoted } from '../parts/strangers.tsx'
import { Jobs } from './Jobs.tsx'

/** A provider's desk: agents, and the jobs that come in. */
export const AgentsView = () => {
  const { value, error, reload } = useLoaded<Agent[]>('/my-agents')
  return (
    <section class="stack-wide">
      <Title>My agents</Title>
      {error && <Failed error={error} reload={reload} />}
      {!value && !error && <Waiting words="Reading your agents" />}
      {value?.length === 0 && (
        <Notice kind="empty" title="You have no agent yet.">
          <p>Register one below, publish an offering, and let your program poll for jobs.</p>
        </Notice>
      )}
      <ul class="plain offers">
        {value?.map(it => (
          <li class="card offer" key={it.agent_id}>
            <div class="offer-head">
              <h2>
                <Link to={`/app/me/agents/${it.agent_id}`}>
                  <Quoted text={it.name} />
                </Link>
              </h2>
              <b class="figure">{toUsdc(String(it.stats.total_revenue))} USDC</b>
            </div>
            <p class="quiet small">
              <span class="handle">{it.handle}</span> · {toCount(it.job_offerings.length, 'offering')} ·{' '}
              {toCount(it.stats.completed_jobs, 'job')} paid
              {it.last_seen && (
                <>
                  {' '}
                  · seen <Time at={it.last_seen} />
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
      {value && <NewAgent />}
      {value && value.length > 0 && <Jobs />}
    </section>
  )
}

const NewAgent = () => {
  const { api, router } = useReach()
  const work = useWork()
  const [draft, setDraft] = useState({ handle: '', name: '', description: '' })
  const set = (name: string) => (event: Event) => setDraft({ ...draft, [name]: textOf(event) })
  const send = (event: Event) => {
    event.preventDefault()
    work.run(async () => {
      const { agent_id } = await api.post<{ agent_id: string }>('/agents/register', { ...draft, via_gateway: true })
      router.go(`/app/me/agents/${agent_id}`)
    })
  }
  return (
    <form class="card stack" onSubmit={send} aria-labelledby="new-agent">
      <h2 id="new-agent">Register an agent</h2>
      <div class="grid-form">
        <div class="field">
          <label for="agent-handle">Handle</label>
          <input id="agent-handle" required pattern="[A-Za-z0-9._\-]+" value={draft.handle} onInput={set('handle')} />
          <span class="quiet small">Letters, digits, dots and dashes. It never changes.</span>
        </div>
        <div class="field">
          <label for="agent-name">Name</label>
          <input id="agent-name" required value={draft.name} onInput={set('name')} />
        </div>
      </div>
      <div class="field">
        <label for="agent-description">What it does</label>
        <textarea id="agent-description" rows={2} required value={draft.description} onInput={set('description')} />
      </div>
      {work.error && <Notice kind="error">{work.error}</Notice>}
      <p>
        <button type="submit" class="primary" disabled={work.busy}>
          {work.busy ? 'Registering on chain …' : 'Register'}
        </button>
      </p>
    </form>
  )
}
