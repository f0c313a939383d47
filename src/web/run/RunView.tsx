import type { PaymentRecord as Payment } from '../../records/payment.ts'
import type { RunRecord as Run } from '../../records/run.ts'
import { agreedIn, isBuying, offeredIn } from '../client/agreed.ts'
import { toReadable } from '../client/format.ts'
import type { Purchase } from '../client/purchase.ts'
import { useLoaded } from '../client/reach.ts'
import type { RunEvent } from '../client/shapes.ts'
import { t } from '../client/words.ts'
import { Cancel } from '../hire/Cancel.tsx'
import { jobStateIn } from '../hire/jobState.ts'
import { promiseOf } from '../hire/promises.ts'
import { Steps } from '../hire/Steps.tsx'
import { toPurchaseSteps, toSteps } from '../hire/steps.ts'
import { Failed, Link, Notice, Title, Waiting } from '../parts/basics.tsx'
import { BackIcon } from '../parts/icons.tsx'
import { NotYours } from '../parts/NotYours.tsx'
import { quoted } from '../parts/strangers.tsx'
import { NotDone } from '../result/NotDone.tsx'
import { Purchased } from '../result/Purchased.tsx'
import { Result } from '../result/Result.tsx'
import { Appeal } from './Appeal.tsx'
import { usePurchase } from './followPurchase.ts'
import { useRun } from './followRun.ts'
import { Happened } from './Happened.tsx'
import { Money } from './Money.tsx'
import { RunHead, type Shown } from './RunHead.tsx'
import { Technical } from './Technical.tsx'
import { useExplorer } from './Transaction.tsx'

const sinceYes = (events: RunEvent[]): RunEvent[] => {
  const at = events.findLastIndex(it => it.type === 'proposed')
  return events.slice(at + 1)
}

/** A run: its result first, then its phases, payments and technical details. */
export const RunView = ({ id }: { id: string }) => {
  const { events, run, error, isMissing, look } = useRun(id)
  // The payments are loaded again after each event from the chain.
  const seen = events.filter(it => it.type === 'transaction' || it.type === 'payment.settled').length
  const payments = useLoaded<Payment[]>(`/runs/${id}/payments`, seen)
  const explorer = useExplorer(run?.chain_id)
  const purchase = usePurchase(isBuying(events) && !run?.job ? run : undefined)
  if (isMissing) return <NotYours what="run" />
  if (!run)
    return (
      <>
        <Title>{t('Run')}</Title>
        {error ? <Failed error={error} reload={look} /> : <Waiting />}
      </>
    )
  const agreed = agreedIn(events)
  const shown = { run, agreed, events: sinceYes(events) }
  return (
    <article>
      <Link to={`/app/c/${encodeURIComponent(run.conversation_id)}`} class="link" icon={<BackIcon />} words={t('Conversation')} />
      <RunHead {...shown} purchase={purchase} />
      <div class="two">
        <div class="stack">
          {run.job ? (
            <Outcome {...shown} look={look} />
          ) : isBuying(events) ? (
            <PurchaseOutcome {...shown} purchase={purchase} />
          ) : (
            <NoJob run={run} isForPurchase={offeredIn(events) !== undefined} />
          )}
          <Happened events={events} run={run} />
          <Technical
            run={run}
            events={events}
            payments={payments.value ?? []}
            agreed={agreed}
            purchase={purchase}
            explorer={explorer}
          />
        </div>
        <aside class="stack" aria-label={t('Money and feedback')}>
          <Money payments={payments.value ?? []} agreed={agreed} purchase={purchase} run={run} events={events} />
          {run.job?.state === 'settled' && !events.some(it => it.type === 'disputed') && <Appeal runId={id} onSent={look} />}
        </aside>
      </div>
    </article>
  )
}

const Outcome = ({ run, agreed, events, look }: Shown & { look(): void }) => {
  const isOver = run.state === 'completed' || run.state === 'failed'
  if (run.job?.state === 'settled') return <Result run={run} agreed={agreed} events={events} />
  if (isOver) return <NotDone run={run} agreed={agreed} events={events} />
  return (
    <section class="card busy" aria-label={t('Progress')}>
      <Steps steps={toSteps(events)} />
      <div class="row after">
        <p class="q s grow">{agreed && `${promiseOf(agreed, run.job?.deadlines)}.`}</p>
        <Cancel runId={run.run_id} state={jobStateIn(events, run)} look={look} />
      </div>
    </section>
  )
}

const PurchaseOutcome = ({ run, purchase, events }: Shown & { purchase: Purchase | undefined }) => {
  const isOver = run.state === 'completed' || run.state === 'failed'
  if (isOver && purchase && purchase.state !== 'paying') return <Purchased purchase={purchase} events={events} />
  return (
    <section class="card busy" aria-label={t('Progress')}>
      <Steps steps={toPurchaseSteps(events, isOver)} />
      <p class="q s after">{quoted(toReadable(purchase?.reason ?? ''), 300)}</p>
    </section>
  )
}

const NoJob = ({ run, isForPurchase }: { run: Run; isForPurchase: boolean }) => {
  const isOpen = run.state === 'awaiting-input' || run.state === 'awaiting-confirmation'
  return (
    <Notice
      title={
        isOpen
          ? t('Your butler waits for you.')
          : isForPurchase
            ? t('Nothing was paid in this run.')
            : t('Nothing was hired in this run.')
      }
    >
      <Link to={`/app/c/${encodeURIComponent(run.conversation_id)}`}>
        {isOpen ? t('Answer in the conversation') : t('Open the conversation')}
      </Link>
    </Notice>
  )
}
