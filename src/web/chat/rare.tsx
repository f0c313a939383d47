import type { Proposal } from '../../domain/runs/proposal.ts'
import type { RunRecord as Run } from '../../records/run.ts'
import { toUsdc } from '../client/format.ts'
import type { RunEvent } from '../client/shapes.ts'
import { t } from '../client/words.ts'
import { Button } from '../parts/basics.tsx'
import { errorOf } from '../result/kinds.ts'
import { NotDone } from '../result/NotDone.tsx'
import { toOrder } from './order.ts'

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
