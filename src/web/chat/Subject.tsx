import type { OpenTerms } from '../../domain/x402/purchaseProposal.ts'
import { isPurchase } from '../client/agreed.ts'
import { hostChars, placeOf } from '../client/purchase.ts'
import { t } from '../client/words.ts'
import { givenOf } from '../fields/fields.ts'
import { FileNames } from '../files/FileChip.tsx'
import { fileIdsIn } from '../files/words.ts'
import { Face, Place } from '../parts/Face.tsx'
import { ChevronIcon, CrossIcon } from '../parts/icons.tsx'
import { quoted } from '../parts/strangers.tsx'
import { SlipDetails } from '../proposal/SlipDetails.tsx'
import type { Ending } from './turns.ts'

/** What a proposal is for: the offering and the first value of its input, or the host and path of a paid resource. */
const subjectOf = (terms: OpenTerms): { name: string; of: string } => {
  if (!isPurchase(terms)) return { name: terms.offeringName, of: Object.values(givenOf(terms.input))[0] ?? '' }
  const { host, path } = placeOf(terms.url)
  return { name: host, of: path }
}

export const Subject = ({ terms }: { terms: OpenTerms }) => {
  const { name, of } = subjectOf(terms)
  const ids = fileIdsIn(of)
  return (
    <>
      {isPurchase(terms) ? <Place size="medium" /> : <Face id={terms.agentId} size={30} />}
      <span class="what grow">
        <b>{quoted(name, hostChars)}</b>{' '}
        {of && <span class="q">· {ids.length > 0 ? <FileNames ids={ids} /> : quoted(of, 60)}</span>}
      </span>
    </>
  )
}

/** A proposal that was declined, or replaced by newer terms. */
export const Closed = ({ terms, answer }: { terms: OpenTerms; answer: Ending | undefined }) => (
  <details class="was">
    <summary>
      <Subject terms={terms} />
      <span class="q s">
        {answer === 'declined' && <CrossIcon />} {answer === 'declined' ? t('You said no') : t('No longer open')}
      </span>
      <ChevronIcon />
    </summary>
    <div class="was-body">
      <SlipDetails terms={terms} />
    </div>
  </details>
)
