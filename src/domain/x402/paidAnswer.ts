import { isUtf8 } from 'node:buffer'
import { z } from 'zod'
import { dayMs } from '../durations.ts'
import { isObject, parseJson } from '../json.ts'
import { limits } from '../limits.ts'
import { toQuotable } from '../text/quotableText.ts'

/** How the body of an answer ended: complete, cut at `limits.resourceBytes`, or with its connection or its time. */
export const bodyEnds = ['whole', 'cut', 'early'] as const
export type BodyEnd = (typeof bodyEnds)[number]

/** The answer to a paid request. `head` is its beginning, up to one part. `parts` were stored; 0 if `head` is all of it. */
export type PaidAnswer = {
  status: number
  contentType: string
  head: Uint8Array
  /** Number of bytes that arrived, up to the limit. */
  bytes: number
  parts: number
  ending: BodyEnd
  /** The seller says that it did not settle the payment (PAYMENT-RESPONSE of x402), so a failure is final. */
  isUnsettled?: boolean
}

const settlement = z.looseObject({ success: z.literal(false) })

/** Whether a value of PAYMENT-RESPONSE says that the payment was not settled. */
export const saysUnsettled = (header: string | undefined): boolean =>
  header !== undefined && settlement.safeParse(parseJson(Buffer.from(header, 'base64').toString('utf8'))).success

/** The reason in an answer without success: that of a problem document or of another JSON object, or its text. */
export const saidIn = ({ head }: Pick<PaidAnswer, 'head'>): string => {
  const text = toText(head) ?? ''
  const value = parseJson(text)
  const named = isObject(value) ? [value.detail, value.error, value.message].find(it => typeof it === 'string') : undefined
  return toQuotable(typeof named === 'string' ? named : text, saidChars)
}

const saidChars = 200

/** The text of UTF-8 bytes without NUL; undefined for other bytes. */
export const toText = (bytes: Uint8Array): string | undefined =>
  isUtf8(bytes) && !bytes.includes(0) ? new TextDecoder().decode(bytes) : undefined

/** A file as a `data:` URL (RFC 2397). */
export const toDataUrl = (bytes: Uint8Array, contentType: string): string =>
  `data:${toMediaType(contentType)};base64,${Buffer.from(bytes).toString('base64')}`

const toMediaType = (contentType: string): string => {
  const [type = ''] = contentType.split(';')
  return /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type.trim()) ? type.trim().toLowerCase() : 'application/octet-stream'
}

/** The whole answer as one text of at most 256 KiB, a file as a `data:` URL; undefined for a longer or an incomplete one. */
export const toInlineContent = ({
  head,
  bytes,
  ending,
  contentType,
}: Pick<PaidAnswer, 'head' | 'bytes' | 'ending' | 'contentType'>): string | undefined => {
  if (ending !== 'whole' || bytes > head.length) return undefined
  const content = toText(head) ?? toDataUrl(head, contentType)
  return Buffer.byteLength(content) <= limits.deliverableBytes ? content : undefined
}

/**
 * What is shown of a paid answer, at most 256 KiB: all of it, or the beginning of a text, or the kind of a file. It says what is
 * kept, and how to get that.
 * @param id of the purchase
 */
export const toPaidContent = (answer: PaidAnswer, id: string): string => {
  const words = `${endWords(answer)} ${placeWords(answer, id)}`.trim()
  const whole = toInlineContent(answer)
  if (whole !== undefined) return whole
  const text = toBeginning(answer.head)
  if (text === undefined) return `The answer is a file of type ${toMediaType(answer.contentType)}: ${words}`
  return cut(text, `\n… (${words})`)
}

const paidCall = z.looseObject({ payment_id: z.string(), state: z.literal('settled'), content: z.string() })

/**
 * What a seller delivered. A paid call of a market like this one is a record, whose member `content` is its deliverable. An escape
 * of JSON may stand for what no text of bytes has: NUL, or half a character.
 */
export const deliveredIn = (content: string): string => {
  const inner = paidCall.safeParse(parseJson(content)).data?.content
  return inner?.isWellFormed() && !inner.includes('\0') ? inner : content
}

/** Up to two bytes of a character may be missing at the end of a part. */
const toBeginning = (head: Uint8Array): string | undefined =>
  [0, 1, 2, 3].map(missing => toText(head.subarray(0, Math.max(0, head.length - missing)))).find(it => it !== undefined)

const cut = (text: string, end: string): string => {
  const bytes = Buffer.from(text).subarray(0, limits.deliverableBytes - Buffer.byteLength(end))
  return `${new TextDecoder().decode(bytes).replace(/\uFFFD$/, '')}${end}`
}

const toKib = (bytes: number) => `${Math.ceil(bytes / 1024).toLocaleString('en-US')} KiB`
const keptDays = limits.resourceKeepMs / dayMs

const endWords = ({ bytes, ending }: PaidAnswer): string => {
  const size = toKib(bytes)
  if (ending === 'whole') return `the answer has ${size}.`
  if (ending === 'early') return `the connection ended early, and ${size} arrived.`
  return `the seller sent more than ${size}, which is the most that is kept. The rest was not received; ask the seller for it.`
}

const placeWords = ({ parts }: PaidAnswer, id: string): string =>
  parts === 0
    ? ''
    : `All that arrived is kept for ${keptDays} days: market answer ${id} FILE, or GET /v1/purchases/${id}/answer?part=0.`

/**
 * The answer of a resource that asked for no payment, at most 256 KiB. A longer text is cut, and says so; of a longer file only
 * its kind and size are given.
 */
export const toFreeContent = (body: string): string => {
  const bytes = Buffer.byteLength(body)
  if (bytes <= limits.deliverableBytes) return body
  const [, type] = /^data:([^;,]{1,130});base64,/.exec(body) ?? []
  if (type)
    return (
      `The answer is a file of type ${type}, too large to be shown here: ` +
      `${toKib(bytes)} of at most ${toKib(limits.deliverableBytes)}.`
    )
  return cut(body, `\n… (cut: the answer has ${toKib(bytes)}, of which ${toKib(limits.deliverableBytes)} are shown)`)
}
