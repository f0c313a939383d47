import { useStore } from '../client/effects.ts'
import type { LineState } from '../client/line.ts'
import { useReach } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { Button } from './basics.tsx'
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
          {state === 'away' && <Button class="link" onClick={line.attempt} words={t('Try now')} />}
        </div>
      )}
    </div>
  )
}

const words = {
  offline: {
    Icon: OfflineIcon,
    title: 'You are offline.',
    text: 'Nothing is lost; this page continues when you are back online.',
  },
  away: { Icon: SpinIcon, title: 'Reconnecting …', text: 'Your job continues without this page.' },
  chain: {
    Icon: ClockIcon,
    title: 'Payments are waiting.',
    text: 'Your money is safe; the chain does not answer at the moment.',
  },
  back: { Icon: CheckIcon, title: 'Back again.', text: 'Everything is up to date.' },
} as const

const Words = ({ state }: { state: keyof typeof words }) => {
  const { Icon, title, text } = words[state]
  return (
    <>
      <Icon />
      <span class="grow">
        <b>{t(title)}</b> {t(text)}
      </span>
    </>
  )
}
