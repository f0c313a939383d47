import { useStore } from '../client/effects.ts'
import type { LineState } from '../client/line.ts'
import { useReach } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { CheckIcon, ClockIcon, OfflineIcon, SpinIcon } from './icons.tsx'

const styles: Record<Exclude<LineState, 'open'>, string> = { offline: 'plain', away: '', chain: '', back: 'good' }

/** A bar that names the unreachable part and says that nothing is lost. It disappears by itself. */
export const Bar = () => {
  const { line } = useReach()
  const state = useStore(line.subscribe, line.state)
  return (
    <div role="status" class="bar-place">
      {state !== 'open' && (
        <div class={`bar ${styles[state]}`}>
          <Words state={state} />
          {state === 'away' && (
            <button type="button" class="link" onClick={line.attempt}>
              {t('Try now')}
            </button>
          )}
        </div>
      )}
    </div>
  )
}

const Words = ({ state }: { state: LineState }) => {
  if (state === 'offline')
    return (
      <>
        <OfflineIcon />
        <span class="grow">
          <b>{t('You are offline.')}</b> {t('Nothing is lost; this page continues when you are back online.')}
        </span>
      </>
    )
  if (state === 'away')
    return (
      <>
        <SpinIcon />
        <span class="grow">
          <b>{t('Reconnecting …')}</b> {t('Your job continues without this page.')}
        </span>
      </>
    )
  if (state === 'chain')
    return (
      <>
        <ClockIcon />
        <span class="grow">
          <b>{t('Payments are waiting.')}</b> {t('Your money is safe; the chain does not answer at the moment.')}
        </span>
      </>
    )
  return (
    <>
      <CheckIcon />
      <span class="grow">
        <b>{t('Back again.')}</b> {t('Everything is up to date.')}
      </span>
    </>
  )
}
