import { useState } from 'hono/jsx/dom'
import { toQuotable } from '../../domain/text/quotableText.ts'
import { useEffect } from '../client/effects.ts'
import { t } from '../client/words.ts'
import { CheckIcon, ReturnIcon } from '../parts/icons.tsx'
import { toTopOf } from './stick.ts'

/** A job that ended while the page was open. */
export type Ended = { runId: string; name: string; isPaid: boolean }

type ReadyProps = { log(): HTMLElement | null; ended: Ended; seen(): void }

/** The last thing that is shown of a run: its result, or why there is none. */
const endOf = (log: HTMLElement | null, { runId }: Ended): Element | undefined =>
  [...(log?.querySelector(`[data-run="${CSS.escape(runId)}"]`)?.children ?? [])].at(-1)

/** Names a job that ended out of view, and leads to its result. It goes once the result was in view. */
export const Ready = ({ log, ended, seen }: ReadyProps) => {
  const [isOut, setOut] = useState(false)
  useEffect(() => {
    const end = endOf(log(), ended)
    if (!end) return seen()
    const watch = new IntersectionObserver(
      found => {
        const isIn = found.some(it => it.isIntersecting)
        setOut(!isIn)
        if (isIn && document.visibilityState === 'visible') seen()
      },
      { root: log() },
    )
    watch.observe(end)
    return () => watch.disconnect()
  }, [])
  if (!isOut) return null
  const go = () => {
    const pane = log()
    const end = endOf(pane, ended)
    if (pane && end) toTopOf(pane, end, 'smooth')
  }
  return (
    <button type="button" class="jump" onClick={go}>
      {ended.isPaid ? <CheckIcon /> : <ReturnIcon />}
      <span>{t(ended.isPaid ? '{name} is ready' : '{name} could not be done', { name: toQuotable(ended.name, 40) })}</span>
    </button>
  )
}
