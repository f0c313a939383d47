import type { Proposal } from '../../domain/runs/proposal.ts'
import type { PurchaseProposal } from '../../domain/runs/purchaseTerms.ts'
import type { OpenTerms } from '../../domain/x402/purchaseProposal.ts'
import { isPurchase } from '../client/agreed.ts'
import { toUsdc } from '../client/format.ts'
import { hostChars, placeOf } from '../client/purchase.ts'
import { t } from '../client/words.ts'
import { Link } from '../parts/basics.tsx'
import { Face, Place } from '../parts/Face.tsx'
import { Liveness, ReputationSummary } from '../parts/liveness.tsx'
import { AgentName, quoted } from '../parts/strangers.tsx'

export const SlipHead = ({ terms }: { terms: OpenTerms }) => (
  <div class="slip-head">
    {isPurchase(terms) ? <ResourceHead terms={terms} /> : <AgentHead terms={terms} />}
    <span class="price">
      {isPurchase(terms) ? terms.scheme && <small>{t('up to')} </small> : terms.usage && <small>{t('at most')} </small>}
      {toUsdc(terms.total)} <small>USDC</small>
    </span>
  </div>
)

const AgentHead = ({ terms: it }: { terms: Proposal }) => (
  <>
    <Face id={it.agentId} size={44} />
    <h2>{quoted(it.offeringName, 120)}</h2>
    <p class="meta">
      <Link to={`/app/agents/${it.agentId}`}>
        <AgentName name={it.agentName} handle={it.agentHandle} />
      </Link>
      {it.reputation ? <ReputationSummary of={it.reputation} /> : <Liveness of={{ last_seen: '' }} />}
    </p>
  </>
)

const ResourceHead = ({ terms: { url } }: { terms: PurchaseProposal }) => (
  <>
    <Place size="large" />
    <h2>{quoted(placeOf(url).host, hostChars)}</h2>
    <p class="meta">
      <span>{t('Outside the marketplace')}</span>
      <span>{t('Paid directly, no refund')}</span>
    </p>
  </>
)
