import type { Child } from 'hono/jsx'
import { toTitleText } from '../../domain/files/fileLinks.ts'
import type { Proposal } from '../../domain/runs/proposal.ts'
import type { RunRecord as Run } from '../../records/run.ts'
import { toDuration, toMoment } from '../client/format.ts'
import { hostChars, isDelivered, type Purchase, placeOf } from '../client/purchase.ts'
import type { RunEvent } from '../client/shapes.ts'
import { t } from '../client/words.ts'
import { purchaseTookMs, tookMs } from '../hire/steps.ts'
import { Label, Link, Title } from '../parts/basics.tsx'
import { Face, Place } from '../parts/Face.tsx'
import { AgainIcon, CheckIcon, CrossIcon, ReturnIcon, SpinIcon } from '../parts/icons.tsx'
import { AgentName, quoted } from '../parts/strangers.tsx'

export type Shown = { run: Run; agreed: Proposal | undefined; events: RunEvent[] }

const titleChars = 90

export const RunHead = ({ run, agreed, events, purchase }: Shown & { purchase: Purchase | undefined }) => {
  const took = tookMs(events)
  const task = purchase ? placeOf(purchase.url).host + placeOf(purchase.url).path : toTitleText(run.task)
  return (
    <header class="runhead">
      <div class="grow">
        <Title>{task.length > titleChars ? `${task.slice(0, titleChars - 1)}…` : task}</Title>
        <p class="q row wrap">
          {agreed && (
            <>
              <Face id={agreed.agentId} size={24} />
              <span>
                {quoted(agreed.offeringName, 80)} ·{' '}
                <Link to={`/app/agents/${agreed.agentId}`}>
                  <AgentName name={agreed.agentName} handle={agreed.agentHandle} />
                </Link>
              </span>
              <span>·</span>
            </>
          )}
          {purchase && (
            <>
              <Place size="small" />
              <span class="whole">{quoted(placeOf(purchase.url).host, hostChars)}</span>
              <span>·</span>
            </>
          )}
          <span>{toMoment(run.created_at)}</span>
        </p>
      </div>
      {run.job && <Ended state={run.job.state} took={took} />}
      {purchase && <PurchaseEnded purchase={purchase} took={purchaseTookMs(events)} />}
      {(run.job || purchase) && (
        <Link to={`/?${new URLSearchParams({ ask: run.task })}`} class="btn small" icon={<AgainIcon />} words={t('Run again')} />
      )}
    </header>
  )
}

type TagProps = { isBad?: boolean; icon: Child; words: string }

const Tag = ({ isBad = false, ...said }: TagProps) => <Label class={`tag ${isBad ? 'warn' : 'good'} big-tag`} {...said} />

const Ended = ({ state, took }: { state: string; took: number | undefined }) => {
  if (state === 'settled')
    return <Tag icon={<CheckIcon />} words={took === undefined ? t('Done') : t('Done in {time}', { time: toDuration(took) })} />
  if (['refunded', 'cancelled'].includes(state)) return <Tag isBad icon={<ReturnIcon />} words={t('Money back')} />
  if (['rejected', 'expired'].includes(state)) return <Tag isBad icon={<ReturnIcon />} words={t('Money on its way back')} />
  return <Tag icon={<SpinIcon />} words={t('Under way')} />
}

const PurchaseEnded = ({ purchase, took }: { purchase: Purchase; took: number | undefined }) => {
  const { state } = purchase
  if (state === 'refused') return <Tag isBad icon={<CrossIcon />} words={t('Refused by the seller')} />
  if (state === 'unpaid') return <Tag isBad icon={<CrossIcon />} words={t('Not paid')} />
  if (state !== 'paid') return <Tag icon={<SpinIcon />} words={t('Paying')} />
  if (!isDelivered(purchase)) return <Tag isBad icon={<CrossIcon />} words={t('Paid, not delivered')} />
  return <Tag icon={<CheckIcon />} words={took === undefined ? t('Paid') : t('Paid in {time}', { time: toDuration(took) })} />
}
