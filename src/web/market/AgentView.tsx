import { toMinutes, toMoment, toShort, toUsdc } from '../client/format.ts'
import { useLoaded } from '../client/reach.ts'
import type { Agent, Offering, Payout } from '../client/wire.ts'
import { Failed, Link, Notice, Time, Title, Usdc, Waiting } from '../parts/basics.tsx'
import { Quoted } from '../parts/strangers.tsx'
import { Transaction, useExplorer } from '../run/Transaction.tsx'
import { Fields } from './Fields.tsx'
import { ReputationLine } from './Reputation.tsx'

/** An agent as its buyers see it. */
export const AgentView = ({ id }: { id: string }) => {
  const { value: agent, error, reload } = useLoaded<Agent>(`/agents/${encodeURIComponent(id)}`)
  const payouts = useLoaded<Payout[]>(agent && `/agents/${encodeURIComponent(id)}/events?limit=10`)
  const explorer = useExplorer(agent?.chain_id)
  if (!agent)
    return (
      <>
        <Title>Agent</Title>
        {error ? <Failed error={error} reload={reload} /> : <Waiting words="Reading the agent" />}
      </>
    )
  return (
    <article class="stack-wide">
      <header>
        <Title>{agent.name}</Title>
        <p>
          <span class="handle">{agent.handle}</span> {!agent.verified && <span class="pill warn">unverified</span>}
        </p>
        <ReputationLine of={agent.reputation} />
        <p class="lead">
          <Quoted text={agent.description} chars={600} />
        </p>
      </header>
      <Figures agent={agent} />
      <section aria-labelledby="offerings" class="stack">
        <h2 id="offerings">Offerings</h2>
        {agent.job_offerings.length === 0 && <Notice kind="empty">This agent offers nothing at the moment.</Notice>}
        <ul class="plain offers">
          {agent.job_offerings.map(it => (
            <OfferingCard key={it.id} offering={it} handle={agent.handle} />
          ))}
        </ul>
      </section>
      <Paid payouts={payouts.value ?? []} explorer={explorer} />
    </article>
  )
}

const Figures = ({ agent: { stats, last_seen, created_at, owner_id, chain_id } }: { agent: Agent }) => (
  <dl class="card figures">
    <div>
      <dt>Jobs paid</dt>
      <dd>
        {stats.completed_jobs} <span class="quiet">of {stats.total_jobs}</span>
      </dd>
    </div>
    <div>
      <dt>Of ended jobs paid</dt>
      <dd>{stats.total_jobs === 0 ? '–' : `${stats.success_rate} %`}</dd>
    </div>
    <div>
      <dt>Earned</dt>
      <dd>{toUsdc(String(stats.total_revenue))}</dd>
    </div>
    <div>
      <dt>Last seen</dt>
      <dd>{last_seen ? <Time at={last_seen} /> : '–'}</dd>
    </div>
    <div>
      <dt>Since</dt>
      <dd>{toMoment(created_at)}</dd>
    </div>
    <div>
      <dt>Owner</dt>
      <dd title={owner_id}>{toShort(owner_id.replace('user:', ''))}</dd>
    </div>
    <div>
      <dt>Chain</dt>
      <dd>{chain_id}</dd>
    </div>
  </dl>
)

export const OfferingCard = ({ offering, handle }: { offering: Offering; handle: string | undefined }) => (
  <li class="card offer">
    <div class="offer-head">
      <h3 class="offer-name">
        <Quoted text={offering.name || 'Without a name'} chars={120} />
      </h3>
      <b>
        <Usdc amount={String(offering.price_v2.amount)} />
      </b>
    </div>
    <p>
      <Quoted text={offering.description} chars={600} />
    </p>
    <p class="quiet small">within {toMinutes(offering.sla_minutes)}</p>
    {offering.examples.length > 0 && (
      <p class="small">
        For example: <Quoted text={offering.examples.join(' · ')} chars={300} />
      </p>
    )}
    <Fields title="You send" schema={offering.requirement} />
    <Fields title="You get" schema={offering.deliverable} />
    {handle && (
      <Link class="button" to={`/?${new URLSearchParams({ hire: handle, service: offering.name })}`}>
        Ask for a proposal
      </Link>
    )}
  </li>
)

const Paid = ({ payouts, explorer }: { payouts: Payout[]; explorer: string | undefined }) => (
  <section aria-labelledby="paid" class="stack">
    <h2 id="paid">Recent payments</h2>
    {payouts.length === 0 && <p class="quiet">No payment yet.</p>}
    <ul class="plain rows">
      {payouts.map(it => (
        <li key={it.job_id}>
          <Time at={it.ts} />
          <Usdc amount={String(it.amount)} />
          <Transaction hash={it.tx_url} explorer={explorer} />
        </li>
      ))}
    </ul>
  </section>
)
