import { isPurchase } from '../client/agreed.ts'
import { toLabel, toMoment } from '../client/format.ts'
import { useReach, useWork } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { givenOf } from '../fields/fields.ts'
import { Button, Fault } from '../parts/basics.tsx'
import { AgainIcon } from '../parts/icons.tsx'
import { quoted } from '../parts/strangers.tsx'
import { toValue } from '../result/values.ts'
import { SlipPromise } from './SlipPromise.tsx'
import type { SlipProps } from './slipProps.ts'

const shownFields = 3

export const SlipLapsed = ({ terms, runId, labels, askAgain }: SlipProps) => {
  const { api } = useReach()
  const work = useWork()
  // The proposal is declined before it is requested again. Otherwise a yes in a message could still hire if the clocks differ.
  const again = () =>
    work.run(async () => {
      await api.post(`/v1/hires/${runId}/confirm`, { digest: terms.digest, decision: 'no', wait_ms: 0 })
      await askAgain()
    })
  return (
    <>
      <div class="slip-body">
        {Object.entries(isPurchase(terms) ? {} : givenOf(terms.input))
          .slice(0, shownFields)
          .map(([name, value]) => (
            <div class="slip-line" key={name}>
              <span>{quoted(toLabel(name), 60)}</span>
              {quoted(toValue(value, name), 120)}
            </div>
          ))}
        <SlipPromise terms={terms} labels={labels} />
      </div>
      <Fault error={work.error} />
      <div class="tear" />
      <div class="stub">
        <Button class="btn full" disabled={work.busy} onClick={again} icon={<AgainIcon />} words={t('Offer again')} />
        <p class="q s">
          {t('This offer ended at {time}.', { time: toMoment(terms.lapsesAt) })}{' '}
          {isPurchase(terms) ? t('Nothing was paid.') : t('Nothing was hired and nothing was paid.')}
        </p>
      </div>
    </>
  )
}
