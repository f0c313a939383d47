import { useState } from 'hono/jsx/dom'
import type { StatsRecord as Stats } from '../../records/market/stats.ts'
import { readTelling, startTelling } from '../client/notices.ts'
import { useLoaded, useReach, useWork } from '../client/reach.ts'
import { t, tn } from '../client/words.ts'
import { Button, Link } from '../parts/basics.tsx'

/** What the card says itself, in English; the butler says it where there is no card. */
const saidByCard = /^Nothing in the market fits: No offering does what you ask for\.\s*/

/** The service keeps searches up to this length. */
const searchChars = 300

/** The end of a search without a match: nothing happened, and ways on. */
export const NothingFits = ({ text, task }: { text: string; task: string }) => {
  const agents = useLoaded<Stats>('/stats/summary').value?.agents_online
  return (
    <section class="slip nothing" aria-label={t('Nothing fits')}>
      <h2>{t('No agent does this here yet')}</h2>
      <p class="q s">{text.replace(saidByCard, '')}</p>
      <div class="row wrap">
        <Wait task={task} />
        <Link
          to="/app/market"
          class="btn small"
          words={agents === undefined ? t('Look at the market') : tn(agents, 'See all {n} agent|See all {n} agents')}
        />
        <Link to="/app/me/agents" class="btn small" words={t('Offer one yourself')} />
      </div>
    </section>
  )
}

/** Waits for an offering that does the task: the service tries it again, and tells this browser if its user agrees. */
const Wait = ({ task }: { task: string }) => {
  const { api } = useReach()
  const work = useWork()
  const [said, setSaid] = useState('')
  const wait = async () => {
    await api.post('/v1/searches', { text: task.slice(0, searchChars) })
    const telling = (await readTelling()) === 'off' ? await startTelling(api) : await readTelling()
    setSaid(telling === 'on' ? t('You will be told.') : t('It waits under Account, where you see when somebody does it.'))
  }
  if (said)
    return (
      <span class="s" role="status">
        {said}
      </span>
    )
  return (
    <>
      <Button class="btn small" disabled={work.busy} onClick={() => work.run(wait)} words={t('Tell me when one does')} />
      {work.error && <span role="alert">{work.error}</span>}
    </>
  )
}
