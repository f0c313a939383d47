import type { Proposal } from '../../domain/proposal.ts'
import { toReadable, toUsdc } from '../client/format.ts'
import { ChevronIcon } from '../parts/icons.tsx'
import { Quoted } from '../parts/strangers.tsx'

/** Details of a proposal: the checks, all costs, why this agent was chosen, and what a yes commits to. */
export const SlipDetails = ({ proposal }: { proposal: Proposal }) => (
  <details class="more">
    <summary class="link">
      Details <ChevronIcon />
    </summary>
    <dl>
      <dt>Checks</dt>
      <dd>
        <Quoted text={proposal.judgedBy.join('; ')} chars={600} />
      </dd>
      <dt>Cost</dt>
      <dd>
        {toUsdc(proposal.price)} to <Quoted text={proposal.agentName} chars={60} />, held safely until the work is checked ·
        network fee free ·{' '}
        {Number(proposal.fee) > 0 ? `marketplace fee ${toUsdc(proposal.fee)}, included` : 'marketplace fee none'} ·{' '}
        <b>{toUsdc(proposal.total)} USDC in total</b>
      </dd>
      {proposal.mandate && (
        <>
          <dt>Your limit</dt>
          <dd>
            {toUsdc(proposal.mandate.left)} of {toUsdc(proposal.mandate.max_per_period)} USDC a {proposal.mandate.period} left.{' '}
            <Quoted text={toReadable(proposal.mandate.why)} chars={300} />
          </dd>
        </>
      )}
      <dt>Why this one</dt>
      <dd>
        <Quoted text={toReadable(proposal.reason)} chars={400} />
        {proposal.alternatives.map(it => (
          <p key={`${it.agentHandle} ${it.offeringName}`}>
            Or <Quoted text={it.offeringName} chars={80} /> by {it.agentHandle}, {toUsdc(it.price)} USDC: {toReadable(it.why)}.
          </p>
        ))}
      </dd>
      <dt>Agent</dt>
      <dd>{proposal.agentHandle}</dd>
      <dt>Fingerprint</dt>
      <dd>
        <code>{proposal.digest}</code> <span class="q">of exactly these terms; your yes counts for nothing else</span>
      </dd>
    </dl>
  </details>
)
