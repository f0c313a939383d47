import type { Proposal } from '../../domain/runs/proposal.ts'
import type { PurchaseProposal } from '../../domain/runs/purchaseTerms.ts'
import type { HealthRecord as Health } from '../../records/health.ts'
import { isPurchase } from '../client/agreed.ts'
import { chainName, toShort } from '../client/format.ts'
import { placeOf } from '../client/purchase.ts'
import { useLoaded } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { gainOf, promiseOf } from '../hire/promises.ts'
import { quoted } from '../parts/strangers.tsx'
import type { SlipProps } from './slipProps.ts'

/** What the user gets, and until when; or what a purchase asks for, and who is paid. */
export const SlipPromise = ({ terms, labels }: Pick<SlipProps, 'terms' | 'labels'>) =>
  isPurchase(terms) ? <OfPurchase terms={terms} /> : <OfHire terms={terms} labels={labels} />

const OfHire = ({ terms, labels }: Pick<SlipProps<Proposal>, 'terms' | 'labels'>) => (
  <>
    <div class="slip-line">
      <span>{labels.youGet}</span>
      <b class="clip2">{quoted(gainOf(terms), 200)}</b>
    </div>
    <div class="slip-line">
      <span>{labels.when}</span>
      <span>{promiseOf(terms, undefined)}</span>
    </div>
  </>
)

const OfPurchase = ({ terms }: { terms: PurchaseProposal }) => {
  const { url, method, bodyHash, description, payee, chainId } = terms
  const chain = useLoaded<Health>('/health').value?.chains.find(it => it.chain_id === chainId)
  return (
    <>
      <div class="slip-line">
        <span>{t('Request')}</span>
        <b class="clip2 whole">
          {method} {quoted(placeOf(url).path, 200)}
          {bodyHash && ` · ${t('with your JSON')}`}
        </b>
      </div>
      {description && (
        <div class="slip-line">
          <span>{t('It says')}</span>
          <span class="clip2">“{quoted(description, 200)}”</span>
        </div>
      )}
      <div class="slip-line">
        <span>{t('Paid to')}</span>
        <span>
          <span title={payee}>{toShort(payee)}</span>, USDC{chain && ` · ${chainName(chain)}`}
        </span>
      </div>
    </>
  )
}
