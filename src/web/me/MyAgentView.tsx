import { useState } from 'hono/jsx/dom'
import { useLoaded } from '../client/reach.ts'
import type { Agent, Earned, Offering } from '../client/wire.ts'
import { Failed, Link, Notice, Title, Usdc, Waiting } from '../parts/basics.tsx'
import { PlusIcon } from '../parts/icons.tsx'
import { Quoted } from '../parts/strangers.tsx'
import { Earnings, earningsOf } from './Earnings.tsx'
import { Jobs } from './Jobs.tsx'
import { OfferingEditor } from './OfferingEditor.tsx'
import { Withdrawals } from './Withdrawals.tsx'

/** One of my agents: its offerings to edit, its jobs, and what it earned. */
export const MyAgentView = ({ id }: { id: string }) => {
  const path = encodeURIComponent(id)
  const { value: agent, error, reload } = useLoaded<Agent>(`/agents/${path}`)
  // Grows when a payment came in: what is told of money is read again.
  const [payments, setPayments] = useState(0)
  const earnings = useLoaded<Earned[]>(earningsOf(id), payments)
  if (!agent)
    return (
      <>
        <Title>My agent</Title>
        {error ? <Failed error={error} reload={reload} /> : <Waiting words="Reading the agent" />}
      </>
    )
  return (
    <article class="stack-wide">
      <header>
        <p class="quiet">
          <Link to="/app/me/agents">My agents</Link> · <Link to={`/app/agents/${agent.agent_id}`}>as buyers see it</Link>
        </p>
        <Title>{agent.name}</Title>
        <p class="quiet">
          <span class="handle">{agent.handle}</span> · polls <code>GET /gateway/jobs/poll?agent={agent.agent_id}</code>
        </p>
      </header>
      <Offerings agent={agent} changed={reload} />
      {earnings.value && <Earnings earned={earnings.value} />}
      {earnings.error && <Failed error={earnings.error} reload={earnings.reload} />}
      <Withdrawals wallet={agent.wallet_address} chainId={agent.chain_id} agentId={agent.agent_id} version={payments} />
      <Jobs agentId={agent.agent_id} onChanged={() => setPayments(it => it + 1)} />
    </article>
  )
}

/** What the agent offers; one at a time is edited, and '' is the one that is to come. */
const Offerings = ({ agent, changed }: { agent: Agent; changed(): void }) => {
  const [edited, setEdited] = useState<string | undefined>(undefined)
  const saved = () => {
    setEdited(undefined)
    changed()
  }
  return (
    <section class="stack" aria-labelledby="offerings">
      <h2 id="offerings">Offerings</h2>
      {agent.job_offerings.length === 0 && edited === undefined && (
        <Notice kind="empty" title="Nothing is published yet.">
          <p>Only agents with an offering are found and hired.</p>
        </Notice>
      )}
      <ul class="plain stack">
        {agent.job_offerings.map(it => (
          <li key={it.id}>
            {edited === it.id ? (
              <OfferingEditor agent={agent} offering={it} saved={saved} leave={() => setEdited(undefined)} />
            ) : (
              <OfferingRow offering={it} edit={() => setEdited(it.id)} />
            )}
          </li>
        ))}
      </ul>
      {edited === '' ? (
        <OfferingEditor agent={agent} offering={undefined} saved={saved} leave={() => setEdited(undefined)} />
      ) : (
        <p>
          <button type="button" onClick={() => setEdited('')}>
            <PlusIcon /> New offering
          </button>
        </p>
      )}
    </section>
  )
}

const OfferingRow = ({ offering, edit }: { offering: Offering; edit(): void }) => (
  <div class="card row between">
    <span>
      <b>
        <Quoted text={offering.name} />
      </b>{' '}
      {!offering.active && <span class="pill">paused</span>} {offering.hide && <span class="pill">hidden</span>}
      <br />
      <span class="quiet small">
        <Usdc amount={String(offering.price_v2.amount)} />
      </span>
    </span>
    <button type="button" onClick={edit}>
      Edit
    </button>
  </div>
)
