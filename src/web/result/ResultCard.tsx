import type { Child, PropsWithChildren } from 'hono/jsx'
import { useState } from 'hono/jsx/dom'
import { toQuotable } from '../../domain/text/quotableText.ts'
import { toDuration } from '../client/format.ts'
import { t } from '../client/words.ts'
import { Link } from '../parts/basics.tsx'
import { ChevronIcon, ShieldIcon } from '../parts/icons.tsx'
import { Fenced } from '../parts/strangers.tsx'
import { kindOf } from './kinds.ts'
import { Tools } from './Tools.tsx'
import { Work } from './Work.tsx'

type CardProps = PropsWithChildren<{
  /** Who delivered, in a stranger's words. */
  from: string
  picture: Child
  /** The deliverable. It is empty while it is not loaded. */
  text: string
  /** Media type of the deliverable, if the sender named one. */
  mediaType?: string
  /** Name of the member shown in large type. */
  main?: string
  /** What the deliverable came in, such as the record of a paid call. It is collapsed. */
  envelope?: string | undefined
  name: string
  runId: string
  /** Whether the card leads to the receipt of its run, which its owner alone can read. */
  isOwn?: boolean
  paid: Child
  tookMs: number | undefined
  checked: string
  /** Shown instead of an empty deliverable. */
  empty: Child
}>

/** A deliverable in its frame, displayed by its kind. @param children actions shown below it */
export const ResultCard = (props: CardProps) => {
  const { from, picture, text, mediaType = '', main = '', envelope, name } = props
  const { runId, isOwn = true, paid, tookMs, checked, empty, children } = props
  const [isRaw, setRaw] = useState(false)
  const work = kindOf(text, mediaType)
  const file = `result-${runId.slice(-8)}`
  return (
    <article class="result new" aria-label={t('Result from {name}', { name: from })}>
      <header>
        {picture}
        <b class="grow whole">{t('From {name}', { name: toQuotable(from, 60) })}</b>
        {text && <Tools text={text} work={work} isRaw={isRaw} setRaw={setRaw} name={file} />}
      </header>
      <div class="body">
        {!text && empty}
        {text && (isRaw ? <Fenced text={text} name={file} /> : <Work work={work} main={main} name={name} />)}
        {envelope && (
          <details class="after">
            <summary class="link">
              {t('Details')} <ChevronIcon />
            </summary>
            <Work work={kindOf(envelope)} name={name} />
          </details>
        )}
      </div>
      <footer>
        {paid}
        {tookMs !== undefined && <span class="num">{toDuration(tookMs)}</span>}
        {isOwn && <Link to={`/app/runs/${runId}`} class="link" words={t('Receipt')} />}
        {children}
        <span class="by">
          <ShieldIcon />
          <span>
            {t('Written by {name}.', { name: toQuotable(from, 60) })} {checked}
          </span>
        </span>
      </footer>
    </article>
  )
}
