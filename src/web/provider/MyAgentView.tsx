import { useState } from 'hono/jsx/dom'
import type { EarnedRecord as Earned } from '../../records/market/earnings.ts'
import { useLoaded } from '../client/reach.ts'
import type { Agent, Offering } from '../client/shapes.ts'
import { t } from '../client/words.ts'
import { Withdrawals } from '../me/Withdrawals.tsx'
import { Button, Failed, Link, Notice, Title, Usdc, Waiting } from '../parts/basics.tsx'
import { Drawing } from '../parts/Drawing.tsx'
import { Face } from '../parts/Face.tsx'
import { Filled } from '../parts/Filled.tsx'
import { BackIcon, PlusIcon, WarnIcon } from '../parts/icons.tsx'
import { acceptedWords } from '../parts/liveness.tsx'
import { quoted } from '../parts/strangers.tsx'
import { ByHand } from './ByHand.tsx'
import { Connect } from './Connect.tsx'
import { Earnings, earningsOf } from './Earnings.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { HealthLight } from './HealthLight.tsx'
import { Jobs } from './Jobs.tsx'
import { LaunchToken } from './LaunchToken.tsx'
import { OfferingEditor } from './OfferingEditor.tsx'
import { TestJob } from './TestJob.tsx'

export const MyAgentView = ({ id }: { id: string }) => {
  const path = encodeURIComponent(id)
  const { value: agent, error, reload } = useLoaded<Agent>(`/agents/${path}`)
  // Increases with each payment, so that the earnings and the balance are loaded again.
  const [payments, setPayments] = useState(0)
  const [running, setRunning] = useState(0)
  const earnings = useLoaded<Earned[]>(earningsOf(id), payments)
  if (!agent)
    return (
      <>
        <Title>{t('My agent')}</Title>
        {error ? <Failed error={error} reload={reload} /> : <Waiting />}
      </>
    )
  const paid = () => {
    setPayments(it => it + 1)
    reload()
  }
  const isOffered = agent.job_offerings.length > 0
  return (
    <article class="stack">
      <Link to="/app/me/agents" class="link" icon={<BackIcon />} words={t('My agents')} />
      <header class="ahead">
        <Face id={agent.agent_id} size={64} />
        <div class="grow">
          <Title>{agent.name}</Title>
          <p class="meta">
            <Link to={`/app/agents/${agent.agent_id}`}>{t('See it as buyers do')}</Link>
            <span>{acceptedWords(agent.reputation)}</span>
          </p>
        </div>
      </header>
      <FirstSteps agent={agent} />
      {isOffered ? <HealthLight agent={agent} running={running} /> : <Offerings agent={agent} changed={reload} />}
      <div class="two even">
        <Connect agent={agent} />
        {isOffered ? <TestJob agent={agent} offerings={agent.job_offerings} /> : <ByHand agent={agent} done={paid} />}
      </div>
      {isOffered && <Offerings agent={agent} changed={reload} />}
      <div class="two even">
        {earnings.value && <Earnings earned={earnings.value} />}
        {earnings.error && <Failed error={earnings.error} reload={earnings.reload} />}
        <Withdrawals wallet={agent.wallet_address} chainId={agent.chain_id} agentId={agent.agent_id} version={payments} />
      </div>
      {isOffered && <ByHand agent={agent} done={paid} />}
      <LaunchToken agent={agent} />
      <Jobs agentId={agent.agent_id} onChanged={paid} onRunning={setRunning} />
    </article>
  )
}

/** The agent's offerings. One at a time is edited; the id '' is a new one. */
const Offerings = ({ agent, changed }: { agent: Agent; changed(): void }) => {
  const [edited, setEdited] = useState(agent.job_offerings.length === 0 ? '' : undefined)
  const saved = () => {
    setEdited(undefined)
    changed()
  }
  const offerings = agent.job_offerings
  return (
    <section class="card" aria-labelledby="offerings">
      <div class="row wrap">
        <h2 id="offerings" class="grow">
          {t('Offerings')}
        </h2>
        {edited !== '' && (
          <Button class="btn small" onClick={() => setEdited('')} icon={<PlusIcon />} words={t('New offering')} />
        )}
      </div>
      {offerings.length === 0 && edited === undefined && (
        <Notice kind="empty" title={t('Nothing is published yet.')}>
          <Drawing />
          <p>{t('Only agents with an offering are found and hired.')}</p>
        </Notice>
      )}
      <ul>
        {offerings.map(it => (
          <li key={it.id}>
            {edited === it.id ? (
              <OfferingEditor agent={agent} offering={it} saved={saved} leave={() => setEdited(undefined)} />
            ) : (
              <OfferingRow offering={it} edit={() => setEdited(it.id)} />
            )}
          </li>
        ))}
      </ul>
      {edited === '' && <OfferingEditor agent={agent} offering={undefined} saved={saved} leave={() => setEdited(undefined)} />}
      {edited === undefined && <Tip offerings={offerings} />}
    </section>
  )
}

const Tip = ({ offerings }: { offerings: Offering[] }) => {
  const bare = offerings.find(it => !it.sample || it.examples.length === 0)
  if (!bare) return null
  const words = bare.sample ? t('“{name}” has no example request yet.') : t('“{name}” has no sample of its work yet.')
  return (
    <p class="say-so">
      <WarnIcon />
      <span>
        <b>
          <Filled words={words} of={{ name: quoted(bare.name, 60) }} />
        </b>{' '}
        {t('Offerings that show one are understood at a glance. Edit it to add one.')}
      </span>
    </p>
  )
}

const OfferingRow = ({ offering, edit }: { offering: Offering; edit(): void }) => (
  <div class="row offer-row">
    <span class="grow">
      <b>{quoted(offering.name)}</b> {!offering.active && <span class="tag">{t('paused')}</span>}{' '}
      {offering.hide && <span class="tag">{t('hidden')}</span>}
      <br />
      <span class="q s clip2">{quoted(offering.description, 160)}</span>
    </span>
    <b class="num">
      <Usdc amount={String(offering.price_v2.amount)} />
    </b>
    <Button class="btn small" onClick={edit} words={t('Edit')} />
  </div>
)
