import { formatUsdc, maxDecimals, parseUsdc } from '../../domain/money/money.ts'
import type { OpenTerms } from '../../domain/x402/purchaseProposal.ts'
import { isPurchase } from '../client/agreed.ts'
import { toUsdc } from '../client/format.ts'
import { t } from '../client/words.ts'
import { givenOf } from '../fields/fields.ts'
import { Fault } from '../parts/basics.tsx'
import { CheckIcon, CoinIcon, WarnIcon } from '../parts/icons.tsx'
import { quoted } from '../parts/strangers.tsx'
import type { SlipLabels } from './slipLabels.ts'

/** The service's text about an agent that was never online. */
const neverConnected = 'has never connected'

/** Whether the terms are those of an agent that was never online. */
export const isUntried = (terms: OpenTerms): boolean => !isPurchase(terms) && terms.seen === neverConnected

type NotesProps = {
  terms: OpenTerms
  before: OpenTerms | undefined
  notice: string
  labels: SlipLabels
  missing: string | undefined
  error: string | undefined
}

export const SlipNotes = (props: NotesProps) => {
  const { terms, before, notice, labels, missing, error } = props
  const [leftBefore, leftAfter] = labels.leftOut.split('{text}')
  return (
    <div role="status" class="notes">
      <Fault error={error} />
      {!error && isUntried(terms) && (
        <p class="say-so">
          <WarnIcon />{' '}
          <span>{t('This agent has never been online. You would most likely wait and then get your money back.')}</span>
        </p>
      )}
      {!isPurchase(terms) && (terms.left_out ?? []).length > 0 && (
        <p class="say-so">
          <WarnIcon />
          <span>
            {leftBefore}
            {quoted(terms.left_out.join('; '), 400)}
            {leftAfter}
          </span>
        </p>
      )}
      {!error && missing && (
        <p class="say-so">
          <CoinIcon /> <span>{t('{sum} USDC are missing in your account.', { sum: missing })}</span>
        </p>
      )}
      {!error && notice && (
        <p class="say-so fine">
          <span>{notice}</span>
        </p>
      )}
      {!error && before && before.digest !== terms.digest && (
        <p class="say-so fine fades">
          <CheckIcon />
          <span>
            {newTerms(changedIn(before, terms))}{' '}
            {before.total === terms.total
              ? t('The price is the same.')
              : t('The price was {sum}.', { sum: toUsdc(before.total) })}
          </span>
        </p>
      )}
    </div>
  )
}

const newTerms = (value: string): string => (value ? t('New terms for {value}.', { value }) : t('New terms.'))

/** Returns the value that changed if it was exactly one; otherwise an empty text. */
const changedIn = (before: OpenTerms, now: OpenTerms): string => {
  if (isPurchase(before) || isPurchase(now)) return ''
  const [was, is] = [givenOf(before.input), givenOf(now.input)]
  const [change, ...more] = Object.keys(is).filter(it => was[it] !== is[it])
  const value = change === undefined ? '' : (is[change] ?? '')
  return more.length === 0 && value.length <= 40 ? value : ''
}

/** Returns the USDC that the user lacks to pay. It is undefined if nothing is missing or the balance is unknown. */
export const missingOf = (total: string, has: string | undefined): string | undefined => {
  const [needed, there] = [parseUsdc(total, maxDecimals), parseUsdc(has ?? '', maxDecimals)]
  if (needed === undefined || there === undefined || there >= needed) return undefined
  return toUsdc(formatUsdc(needed - there, maxDecimals))
}
