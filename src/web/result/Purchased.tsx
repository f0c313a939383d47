import type { PropsWithChildren } from 'hono/jsx'
import { useState } from 'hono/jsx/dom'
import { toQuotable } from '../../domain/text/quotableText.ts'
import type { Api } from '../client/api.ts'
import { toReadable, toShort, toUsdc } from '../client/format.ts'
import { hostChars, isDelivered, type Purchase, placeOf } from '../client/purchase.ts'
import { useReach } from '../client/reach.ts'
import type { RunEvent } from '../client/shapes.ts'
import { t, type Words } from '../client/words.ts'
import { purchaseTookMs } from '../hire/steps.ts'
import { Button, Label } from '../parts/basics.tsx'
import { Face, Place } from '../parts/Face.tsx'
import { Filled } from '../parts/Filled.tsx'
import { CheckIcon, CrossIcon, DownloadIcon } from '../parts/icons.tsx'
import { decodeBytes, downloadBlob } from '../parts/strangers.tsx'
import { FailureCard } from './FailureCard.tsx'
import { errorOf } from './kinds.ts'
import { usePaidCall } from './paidCall.ts'
import { ResultCard } from './ResultCard.tsx'
import { toEnding } from './Tools.tsx'

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
      from={call.from ? t('{name}, by a paid call', { name: call.from }) : host}
      picture={call.agentId ? <Face id={call.agentId} size={28} /> : <Place size="medium" />}
      text={call.deliverable ?? content}
      mediaType={call.deliverable === undefined ? content_type : ''}
      main={call.main ?? ''}
      envelope={call.deliverable === undefined ? undefined : content}
      name={host.replace(/[^\p{L}\p{N} .-]/gu, '')}
      runId={purchase_id}
      paid={<Label class="ok num" icon={<CheckIcon />} words={t('{sum} USDC paid', { sum: toUsdc(price) })} />}
      tookMs={purchaseTookMs(events)}
      checked={
        call.agentId
          ? t('It was paid directly, and nobody checked its truth.')
          : t('It is outside the marketplace, and nobody checked its answer.')
      }
      empty={<p class="q">{t('The answer is empty.')}</p>}
    >
      {purchase.parts > 0 && <SaveAnswer purchase={purchase} />}
      {children}
    </ResultCard>
  )
}

type Undelivered = 'paid' | 'refused' | 'unpaid'

/** What the card says of a purchase without a result, from the host of its seller. */
const said: Record<Undelivered, { title: Words; tag: Words; money: Words }> = {
  paid: {
    title: '{name} was paid and did not deliver',
    tag: 'Paid',
    money: 'Your {sum} went to {payee}. A direct payment cannot be taken back.',
  },
  refused: {
    title: '{name} refused the request',
    tag: 'Not paid so far',
    money: 'Your {sum} stay reserved until the signed payment expires.',
  },
  unpaid: {
    title: '{name} was not paid',
    tag: 'Nothing charged',
    money: 'Your {sum} stayed in your account.',
  },
}

const Failure = ({ purchase, events, children }: PurchasedProps) => {
  const { purchase_id, state, url, price, payee, status, content, reason } = purchase
  const words = said[state === 'paid' || state === 'refused' ? state : 'unpaid']
  const host = toQuotable(placeOf(url).host, hostChars)
  const why = status === null || state === 'refused' ? '' : t('It answered with status {status}.', { status: String(status) })
  return (
    <FailureCard
      picture={<Place size="medium" />}
      title={t(words.title, { name: host })}
      tag={
        <>
          <CrossIcon /> {t(words.tag)}
        </>
      }
      said={errorOf(content)}
      reason={toReadable([why, reason].filter(Boolean).join(' '))}
      runId={purchase_id}
      tookMs={purchaseTookMs(events)}
      money={<Filled words={t(words.money, { payee: toShort(payee) })} of={{ sum: <b class="num">{toUsdc(price)} USDC</b> }} />}
    >
      {children}
    </FailureCard>
  )
}

type AnswerPart = { parts: number; base64: string }

/** Downloads a long answer, which is stored in parts. The browser saves it and does not display it. */
const SaveAnswer = ({ purchase }: { purchase: Purchase }) => {
  const { api } = useReach()
  const [words, setWords] = useState<Words>('Download the whole answer')
  const { purchase_id, content_type } = purchase
  const save = async () => {
    setWords('Loading')
    try {
      const [type = ''] = content_type.split(';')
      downloadBlob(await readAnswer(api, purchase_id), `result-${purchase_id.slice(-8)}.${toEnding(type.trim().toLowerCase())}`)
      setWords('Download the whole answer')
    } catch {
      setWords('That failed. Try again')
    }
  }
  return <Button class="link" onClick={save} icon={<DownloadIcon />} words={t(words)} />
}

const readAnswer = async (api: Api, id: string): Promise<Blob> => {
  const read = (part: number) => api.get<AnswerPart>(`/v1/purchases/${id}/answer?part=${part}`)
  const first = await read(0)
  const bytes = [decodeBytes(first.base64)]
  for (let part = 1; part < first.parts; part += 1) bytes.push(decodeBytes((await read(part)).base64))
  return new Blob(bytes, { type: 'application/octet-stream' })
}
