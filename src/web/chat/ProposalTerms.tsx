import { deadlines, toRefundedBy } from '../../domain/deadlines.ts'
import { minuteMs } from '../../domain/durations.ts'
import type { Proposal } from '../../domain/proposal.ts'
import { toMinutes, toMoment, toReadable } from '../client/format.ts'
import { Usdc } from '../parts/basics.tsx'
import { CheckIcon } from '../parts/icons.tsx'
import { Quoted } from '../parts/strangers.tsx'
import { membersOf } from './answers.ts'

/** When the job of a proposal has to be delivered, and when its money is back at the latest; unknown before its yes. */
export type Agreed = { submit_by: string; refunded_by: string } | undefined

/** All terms of a proposal, in the order a person decides by. */
export const ProposalTerms = ({ proposal, agreed }: { proposal: Proposal; agreed: Agreed }) => (
  <div class="terms">
    <Sent input={proposal.input} />
    <section>
      <h3>What comes back</h3>
      <ul class="plain">
        {proposal.youGet.length === 0 && <li>One text</li>}
        {proposal.youGet.map(({ field, description }) => (
          <li key={field}>
            <b>
              <Quoted text={field} />
            </b>{' '}
            <span class="quiet">
              <Quoted text={description} />
            </span>
          </li>
        ))}
      </ul>
    </section>
    <Cost proposal={proposal} />
    <section>
      <h3>How it is judged</h3>
      <ul class="plain ticks">
        {proposal.judgedBy.map(rule => (
          <li key={rule}>
            <CheckIcon /> <Quoted text={rule} />
          </li>
        ))}
      </ul>
    </section>
    <When proposal={proposal} agreed={agreed} />
    <Alternatives proposal={proposal} />
  </div>
)

const Sent = ({ input }: { input: string }) => {
  const members = membersOf(input) ?? [['input', input]]
  return (
    <section>
      <h3>What is sent</h3>
      <dl class="pairs">
        {members.map(([name, value]) => (
          <div key={name}>
            <dt>
              <Quoted text={name} />
            </dt>
            <dd>
              <Quoted text={value} chars={600} />
            </dd>
          </div>
        ))}
        {members.length === 0 && <div>Nothing but the order itself.</div>}
      </dl>
    </section>
  )
}

const Cost = ({ proposal }: { proposal: Proposal }) => (
  <section>
    <h3>What it costs</h3>
    <dl class="sums">
      <div>
        <dt>Price, goes into escrow</dt>
        <dd>
          <Usdc amount={proposal.price} />
        </dd>
      </div>
      {Number(proposal.fee) > 0 && (
        <div>
          <dt>of it platform fee</dt>
          <dd>
            <Usdc amount={proposal.fee} />
          </dd>
        </div>
      )}
      <div>
        <dt>Gas, paid by the platform</dt>
        <dd>
          <Usdc amount={proposal.gas?.amount ?? '0'} />
        </dd>
      </div>
      <div class="sum">
        <dt>You pay in total</dt>
        <dd>
          <Usdc amount={proposal.total} />
        </dd>
      </div>
    </dl>
    {proposal.mandate && <Allowed mandate={proposal.mandate} />}
  </section>
)

/** What the user's mandate says to it. */
const Allowed = ({ mandate }: { mandate: NonNullable<Proposal['mandate']> }) => (
  <p class="quiet small">
    Your mandate has <Usdc amount={mandate.left} /> left of <Usdc amount={mandate.max_per_period} /> a {mandate.period}.{' '}
    <Quoted text={toReadable(mandate.why)} chars={300} />
  </p>
)

/** The deadlines of a hire, as whole minutes from the yes. */
export const minutesFromYes = ({ slaMinutes }: Proposal): { delivered: number; refunded: number } => {
  const span = deadlines(slaMinutes, 0)
  return { delivered: Math.ceil(span.submitBy / minuteMs), refunded: Math.ceil(toRefundedBy(span) / minuteMs) }
}

/** Deadlines count from the yes: until then they are spans, and times of the clock after it. */
const timesOf = (proposal: Proposal, agreed: Agreed): { delivered: string; refunded: string } => {
  if (agreed) return { delivered: toMoment(agreed.submit_by), refunded: toMoment(agreed.refunded_by) }
  const { delivered, refunded } = minutesFromYes(proposal)
  return { delivered: `Within ${toMinutes(delivered)} of your yes`, refunded: `Within ${toMinutes(refunded)} of your yes` }
}

const When = ({ proposal, agreed }: { proposal: Proposal; agreed: Agreed }) => (
  <section class="wide">
    <h3>When</h3>
    <ol class="when">
      <li>
        <b>Your yes</b>
        <span>the money goes into escrow</span>
      </li>
      <li>
        <b>{timesOf(proposal, agreed).delivered}</b>
        <span>delivered at the latest</span>
      </li>
      <li>
        <b>{timesOf(proposal, agreed).refunded}</b>
        <span>worst case: your money is back</span>
      </li>
    </ol>
  </section>
)

const Alternatives = ({ proposal: { alternatives, reason } }: { proposal: Proposal }) => (
  <section class="wide">
    <details>
      <summary>
        Why this one
        {alternatives.length > 0 && `, and ${alternatives.length === 1 ? 'one other' : `${alternatives.length} others`}`}
      </summary>
      <p>
        <Quoted text={toReadable(reason)} chars={400} />
      </p>
      {alternatives.length > 0 && (
        <ul class="plain others">
          {alternatives.map(it => (
            <li key={`${it.agentHandle} ${it.offeringName}`}>
              <span>
                <Quoted text={it.offeringName} /> <span class="handle">{it.agentHandle}</span>
              </span>
              <Usdc amount={it.price} />
              <span class="quiet">{toReadable(it.why)}</span>
            </li>
          ))}
        </ul>
      )}
    </details>
  </section>
)
