import type { PropsWithChildren } from 'hono/jsx'
import { toQuotable } from '../../domain/text/quotableText.ts'
import { toReadable, toShort, toUsdc } from '../client/format.ts'
import { hostChars, isDelivered, type Purchase, placeOf } from '../client/purchase.ts'
import type { RunEvent } from '../client/shapes.ts'
import { purchaseTookMs } from '../hire/steps.ts'
import { Face, Place } from '../parts/Face.tsx'
import { CheckIcon, CrossIcon } from '../parts/icons.tsx'
import { FailureCard } from './FailureCard.tsx'
import { errorOf } from './kinds.ts'
import { usePaidCall } from './paidCall.ts'
import { ResultCard } from './ResultCard.tsx'
import { SaveAnswer } from './SaveAnswer.tsx'

type PurchasedProps = PropsWithChildren<{ purchase: Purchase; events: RunEvent[] }>

/** The answer of a paid resource, or why there is none and where the money is. @param children actions shown below it */
export const Purchased = ({ purchase, events, children }: PurchasedProps) => {
  const { purchase_id, url, price, content, content_type } = purchase
  const call = usePaidCall(purchase)
  if (!isDelivered(purchase))
    return (
      <Failure purchase={purchase} events={events}>
        {children}
      </Failure>
    )
  const { host } = placeOf(url)
  return (
    <ResultCard
      from={call.from ? `${call.from}, by a paid call` : host}
      picture={call.agentId ? <Face id={call.agentId} size={28} /> : <Place size="medium" />}
      text={call.deliverable ?? content}
      mediaType={call.deliverable === undefined ? content_type : ''}
      main={call.main ?? ''}
      envelope={call.deliverable === undefined ? undefined : content}
      name={host.replace(/[^\p{L}\p{N} .-]/gu, '')}
      runId={purchase_id}
      paid={
        <span class="ok num">
          <CheckIcon /> {toUsdc(price)} USDC paid
        </span>
      }
      tookMs={purchaseTookMs(events)}
      checked={
        call.agentId
          ? 'It was paid directly, and nobody checked its truth.'
          : 'It is outside the marketplace, and nobody checked its answer.'
      }
      empty={<p class="q">The answer is empty.</p>}
    >
      {purchase.parts > 0 && <SaveAnswer purchase={purchase} />}
      {children}
    </ResultCard>
  )
}

type Undelivered = 'paid' | 'refused' | 'unpaid'

/** What the card says of a purchase without a result, from the host of its seller. */
const said: Record<Undelivered, { title: (host: string) => string; tag: string; money: (payee: string) => string }> = {
  paid: {
    title: host => `${host} was paid and did not deliver`,
    tag: 'Paid',
    money: payee => `went to ${toShort(payee)}. A direct payment cannot be taken back.`,
  },
  refused: {
    title: host => `${host} refused the request`,
    tag: 'Not paid so far',
    money: () => 'stay reserved until the signed payment expires.',
  },
  unpaid: {
    title: host => `${host} was not paid`,
    tag: 'Nothing charged',
    money: () => 'stayed in your account.',
  },
}

const Failure = ({ purchase, events, children }: PurchasedProps) => {
  const { purchase_id, state, url, price, payee, status, content, reason } = purchase
  const words = said[state === 'paid' || state === 'refused' ? state : 'unpaid']
  const host = toQuotable(placeOf(url).host, hostChars)
  const why = status === null || state === 'refused' ? '' : `It answered with status ${status}.`
  return (
    <FailureCard
      picture={<Place size="medium" />}
      title={words.title(host)}
      tag={
        <>
          <CrossIcon /> {words.tag}
        </>
      }
      said={errorOf(content)}
      reason={toReadable([why, reason].filter(Boolean).join(' '))}
      runId={purchase_id}
      tookMs={purchaseTookMs(events)}
      money={
        <>
          Your <b class="num">{toUsdc(price)} USDC</b> {words.money(payee)}
        </>
      }
    >
      {children}
    </FailureCard>
  )
}
