import { useState } from 'hono/jsx/dom'
import type { Proposal } from '../../domain/runs/proposal.ts'
import type { WalletRecord as Wallet } from '../../records/withdrawal.ts'
import { isPurchase } from '../client/agreed.ts'
import { toCountdown, toUsdc } from '../client/format.ts'
import { useLoaded, useMoved, useReach, useWork } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { Button, useNow } from '../parts/basics.tsx'
import { SpinIcon } from '../parts/icons.tsx'
import { AddMissing } from './AddMissing.tsx'
import { type Edits, useEdits } from './edits.ts'
import { SlipChange } from './SlipChange.tsx'
import { SlipDetails } from './SlipDetails.tsx'
import { SlipFields } from './SlipFields.tsx'
import { SlipHead } from './SlipHead.tsx'
import { SlipLapsed } from './SlipLapsed.tsx'
import { isUntried, missingOf, SlipNotes } from './SlipNotes.tsx'
import { SlipPromise } from './SlipPromise.tsx'
import type { SlipLabels } from './slipLabels.ts'
import type { SlipProps } from './slipProps.ts'

/**
 * The proposal of a hire or purchase with its terms and buttons. All amounts come from the proposal's data, never from text of
 * a model, a listing or a seller.
 */
export const Slip = (props: SlipProps) => {
  const { terms } = props
  const now = useNow()
  const isLapsed = terms.lapsesAt <= now
  return (
    <section class={`slip ${isLapsed ? 'off' : 'new'}`} aria-label={t('Proposal')}>
      <SlipHead terms={terms} />
      {isLapsed ? (
        <SlipLapsed {...props} />
      ) : isPurchase(terms) ? (
        <Open {...props} edits={undefined} leftMs={terms.lapsesAt - now} />
      ) : (
        <OpenHire {...props} terms={terms} leftMs={terms.lapsesAt - now} />
      )}
    </section>
  )
}

type OpenProps = SlipProps & { leftMs: number }

const OpenHire = (props: OpenProps & { terms: Proposal }) => <Open {...props} edits={useEdits(props)} />

type Doing = 'yes' | 'no' | 'change' | ''

type Decided = OpenProps & { edits: Edits | undefined }

const useDecision = ({ terms, runId, isReady, edits, onAnswering, onAnswered }: Decided) => {
  const { api } = useReach()
  const work = useWork()
  const [doing, setDoing] = useState<Doing>('')
  const isOff = work.busy || !isReady
  const isChanged = edits?.isChanged ?? false
  const act = (what: Doing, it: () => Promise<unknown>) => {
    setDoing(what)
    work.run(it)
  }
  const update = () => edits?.isChanged && !isOff && !edits.isUnderWay() && act('change', edits.tell)
  const decide = (decision: 'yes' | 'no') => {
    // Edited values are not part of these terms until they are proposed again.
    if (isChanged && decision === 'yes') return void update()
    onAnswering()
    act(decision, async () => {
      await api.post(`/v1/hires/${runId}/confirm`, { digest: terms.digest, decision, wait_ms: 0 })
      onAnswered()
    })
  }
  return { work, doing: work.busy ? doing : '', isOff, isChanged, act, update, decide } as const
}

/** Edits are those of a hire's input; a purchase has none. */
const Open = (props: Decided) => {
  const { terms, before, notice, labels, leftMs, say, edits } = props
  const { work, doing, isOff, isChanged, act, update, decide } = useDecision(props)
  const [isChanging, setChanging] = useState(false)
  const balance = useLoaded<Wallet>('/v1/wallets/me', useMoved()).value?.balances.find(it => it.chain_id === terms.chainId)
  const missing = missingOf(terms.total, balance?.usdc)
  /** Enter and leaving a field are one edit. */
  const done = () => !edits?.isSent() && update()
  return (
    <>
      <div class="slip-body">
        {edits && <SlipFields id={`in-${terms.digest}`} edits={edits} isOff={isOff} done={done} />}
        <SlipPromise terms={terms} labels={labels} />
      </div>
      <SlipNotes terms={terms} before={before} notice={notice} labels={labels} missing={missing} error={work.error} />
      <div class="tear" />
      <div class="stub">
        {missing ? (
          <AddMissing usdc={missing} />
        ) : (
          <button
            type="button"
            class={`btn full ${isUntried(terms) ? '' : 'main'}`}
            disabled={isOff}
            onClick={() => decide('yes')}
          >
            <YesWords terms={terms} labels={labels} doing={doing} isChanged={isChanged} />
          </button>
        )}
        {isChanging ? (
          <SlipChange
            busy={work.busy}
            example={isPurchase(terms) ? t('At most 0.01') : t('A cheaper one, or: city: London')}
            say={text => act('change', () => say(text, terms.digest))}
            leave={() => setChanging(false)}
          />
        ) : (
          <OtherAnswers
            labels={labels}
            isOff={isOff}
            leftMs={leftMs}
            change={() => setChanging(true)}
            refuse={() => decide('no')}
          />
        )}
        {!isChanging && <SlipDetails terms={terms} labels={labels} />}
      </div>
    </>
  )
}

type OtherProps = { labels: SlipLabels; isOff: boolean; leftMs: number; change(): void; refuse(): void }

const OtherAnswers = ({ labels, isOff, leftMs, change, refuse }: OtherProps) => (
  <div class="row">
    <Button class="link" disabled={isOff} onClick={change} words={labels.change} />
    <Button class="link" disabled={isOff} onClick={refuse} words={labels.no} />
    <span class="grow" />
    <span class="q xs num only-wide">{t('Offer valid for {time}', { time: toCountdown(leftMs) })}</span>
    <span class="only-wide room" />
  </div>
)

type YesProps = Pick<SlipProps, 'terms' | 'labels'> & { doing: Doing; isChanged: boolean }

const YesWords = ({ terms, labels, doing, isChanged }: YesProps) => {
  const sum = (
    <span class="sum">
      {'usage' in terms && terms.usage && `${t('at most')} `}
      {'scheme' in terms && terms.scheme && `${t('up to')} `}
      {toUsdc(terms.total)} USDC
    </span>
  )
  if (doing === 'yes')
    return (
      <>
        <SpinIcon /> {t('Paying')} {sum} …
      </>
    )
  if (doing === 'change') return <>{t('Updating the terms …')}</>
  if (isChanged) return <>{t('Update the terms')}</>
  const [before, after] = labels.approve.split('{sum}')
  return (
    <>
      {before}
      {sum}
      {after}
      {isUntried(terms) && labels.approveAnyway}
    </>
  )
}
