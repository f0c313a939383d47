import { useState } from 'hono/jsx/dom'
import type { NextTask } from '../../domain/runs/nextTask.ts'
import type { Proposal } from '../../domain/runs/proposal.ts'
import type { StatsRecord as Stats } from '../../records/market/stats.ts'
import type { RunRecord as Run } from '../../records/run.ts'
import { toReadable, toUsdc } from '../client/format.ts'
import { readTelling, startTelling } from '../client/notices.ts'
import { useLoaded, useReach, useWork } from '../client/reach.ts'
import type { RunEvent } from '../client/shapes.ts'
import { t, tn, type Words } from '../client/words.ts'
import { Button, Link } from '../parts/basics.tsx'
import { quoted } from '../parts/strangers.tsx'
import { errorOf } from '../result/kinds.ts'
import { NotDone } from '../result/NotDone.tsx'
import { toOrder } from './order.ts'

// Turns that few conversations have, loaded together with the first of them.
export { Bought, PurchaseEnd } from './Bought.tsx'
export { Choices } from './Choices.tsx'

type Shown = { run: Run; agreed: Proposal | undefined; events: RunEvent[]; say(text: string): unknown }

/** Why a hire has no result, and what its user can do next. */
export const Undone = ({ run, agreed, events, say }: Shown) => (
  <NotDone run={run} agreed={agreed} events={events}>
    {errorOf(run.job?.deliverable ?? '') ? (
      <Button class="btn main" onClick={() => writeAgain(run.task)} words={t('Change it')} />
    ) : (
      <Button class="btn main" onClick={() => void say(run.task)} words={t('Try again')} />
    )}
    {agreed?.alternatives.slice(0, 1).map(it => (
      <Button
        class="btn"
        key={it.agentHandle}
        onClick={() => void say(toOrder(it.agentHandle, it.offeringName, agreed.input))}
        words={t('Ask {name} instead · {sum} USDC', { name: it.agentHandle, sum: toUsdc(it.price) })}
      />
    ))}
  </NotDone>
)

/** Puts words into the message field, where they can be changed before they are sent again. */
const writeAgain = (words: string): void => {
  const field = document.querySelector<HTMLTextAreaElement>('#say')
  if (!field) return
  field.value = words
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.focus()
}

type LimitsProps = { text: string; isOpen: boolean; say(text: string): Promise<void> }

/** What the butler says about spending limits, with the place where they are set. An open offer is set by its button. */
export const Limits = ({ text, isOpen, say }: LimitsProps) => {
  const work = useWork()
  return (
    <>
      <p class="said">{toReadable(text)}</p>
      <div class="row wrap after">
        {isOpen && (
          <Button class="btn main" disabled={work.busy} onClick={() => work.run(() => say('yes'))} words={t('Set this limit')} />
        )}
        <Link to="/app/me#limits" class="link" words={t('Spending limits')} />
      </div>
      {work.error && <p role="alert">{work.error}</p>}
    </>
  )
}

const words: Record<string, Words> = { waiting: 'Next', proposed: 'Continued with', dropped: 'Left out' }

const nameOf = (state: string): string => {
  const name = words[state]
  return name ? t(name) : state
}

export const NextTasks = ({ tasks }: { tasks: NextTask[] }) => (
  <ul class="next-tasks q s" aria-label={t('Next tasks')}>
    {tasks.map((it, index) => (
      <li key={`${index} ${it.text}`}>
        {nameOf(it.state)}: “{quoted(it.text, 160)}”
      </li>
    ))}
  </ul>
)

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
