import { toQuotable } from '../../domain/text/quotableText.ts'
import type { PayoutRecord as Payout } from '../../records/market/earnings.ts'
import type { FeedbackRecord } from '../../records/market/feedback.ts'
import { toFullTime, toLabel, toMoment, toShort, toUsdc } from '../client/format.ts'
import { createLater } from '../client/later.ts'
import { useLoaded, usePath } from '../client/reach.ts'
import type { Agent, Offering } from '../client/shapes.ts'
import { t, tn, type Words } from '../client/words.ts'
import { Failed, Link, Time, Title, Usdc, Waiting } from '../parts/basics.tsx'
import { Face } from '../parts/Face.tsx'
import { BackIcon, ChatIcon, CheckIcon, ChevronIcon, CrossIcon } from '../parts/icons.tsx'
import { ReputationSummary } from '../parts/liveness.tsx'
import { Marks } from '../parts/Marks.tsx'
import { Opened } from '../parts/Opened.tsx'
import { quoted, toAgentName } from '../parts/strangers.tsx'
import { kindOf } from '../result/kinds.ts'
import { Work } from '../result/Work.tsx'
import { Transaction, useExplorer } from '../run/Transaction.tsx'
import { Meter } from './Meter.tsx'
import { OrderForm } from './OrderForm.tsx'
import { outOf, storyOf } from './reputation.ts'

/** The token of an agent, which few readers look at, has its words with it. */
const token = createLater(() => import('./TokenPanel.tsx'))

/** An agent's page for buyers: its offerings with a form to request a proposal, a sample, and its reputation. */
export const AgentView = ({ id }: { id: string }) => {
  const { value: agent, error, reload } = useLoaded<Agent>(`/agents/${encodeURIComponent(id)}`)
  const asked = new URLSearchParams(usePath().split('?')[1] ?? '').get('offering')
  if (!agent)
    return (
      <>
        <Title>{t('Agent')}</Title>
        {error ? <Failed error={error} reload={reload} /> : <Waiting />}
      </>
    )
  const offers = agent.job_offerings
  const open = offers.find(it => it.id === asked) ?? offers[0]
  return (
    <article>
      <Link to="/app/market" class="link" icon={<BackIcon />} words={t('Market')} />
      <AgentHead agent={agent} />
      <div class="two wide2">
        <section aria-label={t('Offerings')} class="stack">
          <h2 class="vh">{t('Offerings')}</h2>
          {offers.length === 0 && <p class="card q">{t('This agent offers nothing at the moment.')}</p>}
          {open && <OpenOffer offering={open} agent={agent} />}
          {offers
            .filter(it => it !== open)
            .map(it => (
              <OtherOffer key={it.id} offering={it} agent={agent} />
            ))}
        </section>
        <aside class="stack" aria-label={t('Sample and examples')}>
          {open && <Beside offering={open} agent={agent} />}
        </aside>
      </div>
      <Opened part={token} isQuiet>
        {it => <it.TokenPanel agentId={agent.agent_id} chainId={agent.chain_id} />}
      </Opened>
      <Reputations agent={agent} />
      <Technical agent={agent} />
    </article>
  )
}

const AgentHead = ({ agent }: { agent: Agent }) => (
  <header class="ahead">
    <Face id={agent.agent_id} size={88} />
    <div class="grow">
      <Title>{agent.name}</Title>
      <p class="say">{quoted(agent.description, 600)}</p>
      <p class="meta">
        <span>{agent.handle}</span>
        <ReputationSummary of={agent.reputation} />
        {!agent.verified && <span>{t('not verified')}</span>}
      </p>
      <Marks agentId={agent.agent_id} />
    </div>
  </header>
)

const OpenOffer = ({ offering, agent }: { offering: Offering; agent: Agent }) => (
  <section class="card offer-open">
    <div class="row top-row">
      <h2 class="grow">{quoted(offering.name || t('Without a name'), 120)}</h2>
      <span class="price">
        {offering.price_v2.type === 'usage' && <small>{t('at most')} </small>}
        {toUsdc(String(offering.price_v2.amount))} <small>USDC</small>
      </span>
    </div>
    <p class="q">{quoted(offering.description, 600)}</p>
    {offering.price_v2.type === 'usage' && <Usage price={offering.price_v2} />}
    <OrderForm key={offering.id} offering={offering} handle={agent.handle} />
    <Gives offering={offering} />
    {offering.certificate && (
      <p class="s q certified">
        <CheckIcon />
        <span>{tn(offering.certificate.cases, certified, { day: toFullTime(offering.certificate.expires_at) })}</span>
      </p>
    )}
    {offering.validation && <p class="s q">{t('The verdict of each hire is written to the ERC-8004 validation registry.')}</p>}
  </section>
)

const Usage = ({ price }: { price: Offering['price_v2'] }) => (
  <p class="s q">
    {t('{sum} USDC per unit: {unit}, {counting}. What is not used comes back.', {
      sum: String(price.per_unit),
      unit: toQuotable(price.unit ?? '', 24),
      counting: price.counting ?? '',
    })}
  </p>
)

const Gives = ({ offering: { deliverable } }: { offering: Offering }) => {
  const names = Object.keys(deliverable.properties ?? {})
  if (names.length === 0) return null
  return <p class="s q gives">{t('You get: {parts}', { parts: toQuotable(names.map(toLabel).join(', '), 200) })}</p>
}

const OtherOffer = ({ offering, agent }: { offering: Offering; agent: Agent }) => (
  <section class="card">
    <h3>{quoted(offering.name || t('Without a name'), 120)}</h3>
    <p class="q s clip2">{quoted(offering.description, 300)}</p>
    <div class="row after">
      <span class="price small grow">
        {offering.price_v2.type === 'usage' && <small>{t('at most')} </small>}
        {toUsdc(String(offering.price_v2.amount))} <small>USDC</small>
      </span>
      <Link
        class="btn small"
        to={`/app/agents/${agent.agent_id}?offering=${encodeURIComponent(offering.id)}`}
        words={t('Open')}
      />
    </div>
  </section>
)

const Beside = ({ offering, agent }: { offering: Offering; agent: Agent }) => (
  <>
    {offering.sample && (
      <section>
        <h3 class="aside-title">{t('A sample of its work')}</h3>
        <div class="card sample-card">
          <Work work={kindOf(offering.sample)} main={offering.main} name="sample" />
          <p class="q xs after">
            {t('Given as a sample by {name}.', { name: toAgentName({ agentName: agent.name, agentHandle: agent.handle }) })}
          </p>
        </div>
      </section>
    )}
    {offering.examples.length > 0 && (
      <section>
        <h3 class="aside-title">{t('Try asking')}</h3>
        <div class="asks">
          {offering.examples.slice(0, 4).map(it => (
            <Link key={it} to={`/?${new URLSearchParams({ ask: it })}`} class="ask-link">
              <ChatIcon />
              <span class="clip2">{quoted(it, 160)}</span>
            </Link>
          ))}
        </div>
      </section>
    )}
  </>
)

const certified = 'Certified: it passed {n} test job. Valid until {day}.|Certified: it passed {n} test jobs. Valid until {day}.'

/** From this number of judged jobs on, the share that is likely at least says more about the agent than about their number. */
const telling = 5

const Reputations = ({ agent }: { agent: Agent }) => {
  const { reputation: of, stats } = agent
  return (
    <section class="card rep" aria-labelledby="reputation">
      <div>
        <h2 id="reputation">{t('Reputation')}</h2>
        <p class="q s">
          {storyOf(of)} {t('Hires by its own owner do not count.')}
        </p>
      </div>
      <div class="stack">
        <Meter name={t('Accepted')} share={of.judged > 0 ? of.accepted / of.judged : 0} words={outOf(of.accepted, of.judged)} />
        {of.judged >= telling && (
          <Meter name={t('Likely at least')} share={of.success_bound} words={`${Math.floor(of.success_bound * 100)} %`} />
        )}
        <Meter name={t('Paid')} share={stats.success_rate / 100} words={outOf(stats.completed_jobs, stats.total_jobs)} />
      </div>
      <Reviews agent={agent} />
    </section>
  )
}

const failures: Record<string, Words> = {
  accepted: 'Disputed by its buyer',
  rejected: 'Did not pass its checks',
  failed: 'Could not be done',
  undelivered: 'Not delivered in time',
}

const Reviews = ({ agent }: { agent: Agent }) => {
  const { value } = useLoaded<FeedbackRecord>(`/agents/${encodeURIComponent(agent.agent_id)}/feedback?limit=6`)
  const explorer = useExplorer(agent.chain_id)
  if (!value || value.feedback.length === 0) return null
  return (
    <ul class="lines s reviews" aria-label={t('What came of its newest jobs')}>
      {value.feedback.map(it => (
        <li key={it.job_id}>
          <span class={it.value > 0 ? 'ok' : 'ok bad'}>
            {it.value > 0 ? <CheckIcon /> : <CrossIcon />}{' '}
            {t(it.value > 0 ? 'Accepted' : (failures[it.outcome] ?? 'Not accepted'))}
          </span>
          <Time at={it.at} />
          <span class="grow" />
          <a class="link" href={it.file}>
            {t('Proof')}
          </a>
          <Transaction hash={it.tx_hash} explorer={explorer} />
        </li>
      ))}
    </ul>
  )
}

const Technical = ({ agent }: { agent: Agent }) => {
  const payouts = useLoaded<Payout[]>(`/agents/${encodeURIComponent(agent.agent_id)}/events?limit=10`)
  const explorer = useExplorer(agent.chain_id)
  return (
    <details class="card tech">
      <summary class="row">
        <b class="grow">{t('Technical details')}</b>
        <ChevronIcon />
      </summary>
      <dl class="kv s">
        <dt>{t('Handle')}</dt>
        <dd>{agent.handle}</dd>
        <dt>{t('Identity')}</dt>
        <dd class="mono">{agent.agent_id}</dd>
        <dt>{t('Owner')}</dt>
        <dd title={agent.owner_id}>{toShort(agent.owner_id.replace('user:', ''))}</dd>
        <dt>{t('Wallet')}</dt>
        <dd title={agent.wallet_address}>{toShort(agent.wallet_address)}</dd>
        <dt>{t('Since')}</dt>
        <dd>{toMoment(agent.created_at)}</dd>
        <dt>{t('Earned')}</dt>
        <dd>{toUsdc(String(agent.stats.total_revenue))} USDC</dd>
      </dl>
      <h3>{t('Recent payments')}</h3>
      {payouts.value?.length === 0 && <p class="q">{t('No payment yet.')}</p>}
      <ul class="lines s">
        {(payouts.value ?? []).map(it => (
          <li key={it.job_id}>
            <Time at={it.ts} />
            <Usdc amount={String(it.amount)} />
            <Transaction hash={it.tx_url} explorer={explorer} />
          </li>
        ))}
      </ul>
    </details>
  )
}
