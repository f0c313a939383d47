import type { PurchaseProposal } from '../../domain/runs/purchaseTerms.ts'
import type { RunRecord as Run } from '../../records/run.ts'
import { toReadable, toUsdc } from '../client/format.ts'
import { isDelivered } from '../client/purchase.ts'
import type { RunEvent } from '../client/shapes.ts'
import { t } from '../client/words.ts'
import { purchaseTookMs, toPurchaseSteps } from '../hire/steps.ts'
import { Button, Label, Waiting } from '../parts/basics.tsx'
import { AgainIcon, CheckIcon, CrossIcon, SpinIcon } from '../parts/icons.tsx'
import { quoted } from '../parts/strangers.tsx'
import { Purchased } from '../result/Purchased.tsx'
import { usePurchase } from '../run/followPurchase.ts'
import { Accepted } from './Accepted.tsx'
import { type Ending, isOver } from './turns.ts'

type BoughtProps = { terms: PurchaseProposal; run: Run | undefined; events: RunEvent[]; answer: Ending | undefined }

/** An accepted purchase as one line, which expands to its progress. */
export const Bought = ({ terms, run, events, answer }: BoughtProps) => (
  <Accepted
    terms={terms}
    run={run}
    steps={toPurchaseSteps(events, isOver(run))}
    took={purchaseTookMs(events)}
    state={<BoughtState paid={paidIn(events, terms)} isOver={isOver(run)} />}
    report={<Delay run={run} />}
    note={answer === 'mandated' ? t('Paid under your spending limit.') : ''}
  />
)

/** Why a purchase is not decided yet. */
const Delay = ({ run }: { run: Run | undefined }) => {
  const reason = usePurchase(run)?.reason
  return reason ? (
    <p class="q s" aria-live="polite">
      {quoted(toReadable(reason), 300)}
    </p>
  ) : null
}

/** What was paid; undefined until then. In the scheme `upto` the seller may have taken less than the price. */
const paidIn = (events: RunEvent[], { total }: PurchaseProposal): string | undefined => {
  const settled = events.findLast(it => it.type === 'payment.settled')
  return settled && (settled.data.used ?? total)
}

const BoughtState = ({ paid, isOver }: { paid: string | undefined; isOver: boolean }) => {
  if (paid !== undefined)
    return (
      <span class="ok s num">
        <CheckIcon /> {t('Paid')} {toUsdc(paid)}
      </span>
    )
  return isOver ? (
    <Label class="tag warn" icon={<CrossIcon />} words={t('Not paid')} />
  ) : (
    <Label class="ok s" icon={<SpinIcon />} words={t('Paying')} />
  )
}

type EndProps = { run: Run; events: RunEvent[]; again(): void }

/** The end of a purchase: the answer of the resource, or why there is none. */
export const PurchaseEnd = ({ run, events, again }: EndProps) => {
  const purchase = usePurchase(run)
  if (!purchase || purchase.state === 'paying') return <Waiting />
  return (
    <Purchased purchase={purchase} events={events}>
      {isDelivered(purchase) ? (
        <Button class="link" onClick={again} icon={<AgainIcon />} words={t('Run again')} />
      ) : (
        <Button class="btn main" onClick={again} words={t('Ask for the price again')} />
      )}
    </Purchased>
  )
}
