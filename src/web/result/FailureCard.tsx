import type { Child, PropsWithChildren } from 'hono/jsx'
import { toDuration } from '../client/format.ts'
import { t } from '../client/words.ts'
import { Link } from '../parts/basics.tsx'
import { quoted } from '../parts/strangers.tsx'

type FailureProps = PropsWithChildren<{
  picture: Child
  title: string
  tag: Child
  /** What the agent or seller said, if anything. */
  said: string | undefined
  /** Why there is no result, if nothing was said. */
  reason: string
  money: Child
  runId: string
  tookMs: number | undefined
}>

/** The frame of a hire or purchase without a result. @param children what to do next */
export const FailureCard = ({ picture, title, tag, said, reason, money, runId, tookMs, children }: FailureProps) => (
  <article class="result fail new" aria-label={t('Not done')}>
    <header>
      {picture}
      <b class="grow whole">{title}</b>
      <span class="tag warn">{tag}</span>
    </header>
    <div class="body">
      {said ? <blockquote>“{quoted(said, 300)}”</blockquote> : <p class="lead-text">{quoted(reason, 300)}</p>}
      <p class="ret">
        {money}
        {tookMs !== undefined && ` ${t('It took {time}.', { time: toDuration(tookMs) })}`}
      </p>
      {children && <div class="row wrap ways">{children}</div>}
    </div>
    <footer>
      <Link to={`/app/runs/${runId}`} class="link" words={t('What happened')} />
    </footer>
  </article>
)
