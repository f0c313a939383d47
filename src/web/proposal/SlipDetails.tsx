import { toShownDigest } from '../../domain/consent/digest.ts'
import type { Proposal } from '../../domain/runs/proposal.ts'
import type { OpenTerms, PurchaseProposal } from '../../domain/x402/purchaseProposal.ts'
import { isPurchase } from '../client/agreed.ts'
import { toReadable, toUsdc } from '../client/format.ts'
import { ChevronIcon } from '../parts/icons.tsx'
import { AgentName, Quoted } from '../parts/strangers.tsx'
import { englishLabels } from './slipLabels.ts'
import type { SlipProps } from './slipProps.ts'

/** Details of a proposal: the checks, all costs, why this agent was chosen, and what a yes commits to. */
export const SlipDetails = ({ terms, labels = englishLabels }: Pick<SlipProps, 'terms'> & Partial<Pick<SlipProps, 'labels'>>) => (
  <details class="more">
    <summary class="link">
      {labels.details} <ChevronIcon />
    </summary>
    <dl>
      {isPurchase(terms) ? <OfPurchase terms={terms} /> : <OfHire terms={terms} />}
      <dt>Fingerprint</dt>
      <dd>
        <code title={terms.digest}>{toShownDigest(terms.digest)}</code>{' '}
        <span class="q">of exactly these terms; your yes counts for nothing else</span>
      </dd>
    </dl>
  </details>
)

const OfHire = ({ terms: it }: { terms: Proposal }) => (
  <>
    <dt>Checks</dt>
    <dd>
      <Quoted text={it.judgedBy.join('; ')} chars={600} />
    </dd>
    <dt>Cost</dt>
    <dd>
      {it.charged && (
        <Quoted text={`Charged by use: ${it.charged}. What is not used comes back with the payment · at most `} chars={200} />
      )}
      {toUsdc(it.price)} to <AgentName name={it.agentName} handle={it.agentHandle} />, held safely until the work is checked ·
      network fee free · {Number(it.fee) > 0 ? `marketplace fee ${toUsdc(it.fee)}, included` : 'marketplace fee none'} ·{' '}
      <b>
        {it.usage && 'at most '}
        {toUsdc(it.total)} USDC in total
      </b>
    </dd>
    <Limit mandate={it.mandate} />
    <dt>Why this one</dt>
    <dd>
      <Quoted text={toReadable(it.reason)} chars={400} />
      {it.alternatives.map(other => (
        <p key={`${other.agentHandle} ${other.offeringName}`}>
          Or <Quoted text={other.offeringName} chars={80} /> by {other.agentHandle}, {toUsdc(other.price)} USDC:{' '}
          {toReadable(other.why)}.
        </p>
      ))}
    </dd>
    <dt>Agent</dt>
    <dd>{it.agentHandle}</dd>
  </>
)

/** Maximum length of an accepted address of a resource. */
const urlChars = 2_048

const OfPurchase = ({ terms: it }: { terms: PurchaseProposal }) => (
  <>
    <dt>Address</dt>
    <dd class="whole">
      {it.method} <Quoted text={it.url} chars={urlChars} />
    </dd>
    {it.bodyHash && (
      <>
        <dt>Your JSON</dt>
        <dd class="whole">
          SHA-256 <code>{it.bodyHash}</code>
        </dd>
      </>
    )}
    <dt>Cost</dt>
    <dd>
      network fee paid by the seller · marketplace fee none ·{' '}
      <b>
        {it.scheme && 'up to '}
        {toUsdc(it.total)} USDC in total
      </b>
    </dd>
    <dt>Answer</dt>
    <dd>up to 8 MiB within a minute</dd>
    {it.approves && (
      <>
        <dt>Approval</dt>
        <dd>your account first lets Permit2 move exactly {toUsdc(it.total)} USDC; the marketplace pays the network fee</dd>
      </>
    )}
    <dt>Paid to</dt>
    <dd class="whole">
      <code>{it.payee}</code>
    </dd>
    <dt>From</dt>
    <dd class="whole">
      <code>{it.payer}</code>, your account
    </dd>
    <dt>Token</dt>
    <dd class="whole">
      USDC <code>{it.asset}</code> on chain {it.chainId}
    </dd>
    <Limit mandate={it.mandate} />
  </>
)

const Limit = ({ mandate }: Pick<OpenTerms, 'mandate'>) =>
  mandate && (
    <>
      <dt>Your limit</dt>
      <dd>
        {toUsdc(mandate.left)} of {toUsdc(mandate.max_per_period)} USDC a {mandate.period} left.{' '}
        <Quoted text={toReadable(mandate.why)} chars={300} />
      </dd>
    </>
  )
