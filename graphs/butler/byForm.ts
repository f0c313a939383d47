import { readConsent, refuses } from '../../src/domain/consent/readConsent.ts'
import { readPayment } from '../../src/domain/consent/readPayment.ts'
import { asksForSecrets } from '../../src/domain/harm/asksForSecrets.ts'
import { isHarmful } from '../../src/domain/harm/isHarmful.ts'
import { type Act, canBeMeant, type Situation, type Stage } from '../../src/domain/runs/acts.ts'
import { toServiceAnswer } from '../../src/domain/runTexts/serviceQuestions.ts'
import { isHire, type ProposedTerms, toOffer } from '../../src/domain/x402/purchaseProposal.ts'
import { findSpans } from '../../src/language/forms/recognisers.ts'
import { readOwnMoney } from '../../src/language/text/ownMoney.ts'
import { putsOff } from '../../src/language/text/stalling.ts'
import type { TurnReading } from '../../src/ports.ts'

// What costs money or accuses somebody is read by the form of the words, and never by likeness to examples.

type Heard = {
  situation: Situation
  terms: ProposedTerms | undefined
  by: string
  /** The open question asks for a text, which may say anything. */
  isTextAsked: boolean
  /** The open question asks for a file, which no words are. */
  isFileAsked?: boolean
}

/** Reads a message that is a yes, a no, a cancel, a payment or harmful by its form. Undefined for every other message. */
export const readByForm = (text: string, heard: Heard): TurnReading | undefined => {
  const act =
    readAnswer(text, heard) ??
    asksOwnMoney(text) ??
    (heard.isTextAsked ? undefined : (readOwnMoney(text) ?? readOrder(text, heard)))
  return act && { act, sure: 1, other: act, by: heard.by, isPlain: true }
}

const neverMind = /\b(?:never ?mind|nvm|forget (?:it|about it))\b/i

const readAnswer = (text: string, { situation, terms, isFileAsked }: Heard): Act | undefined => {
  const { stage, hasJob } = situation
  const consent = readConsent(text, terms && toOffer(terms)) ?? refusalInPart(text)
  const isAnswer = consent === 'no' || consent === 'cancel'
  if (stage === 'proposal' && !isAnswer && putsOff(text)) return 'about'
  if (consent === 'yes') return canBeMeant('yes', situation) ? 'yes' : undefined
  if (consent === undefined || consent === 'unclear') return undefined
  // The butler itself offers these words to whoever cannot answer its question.
  if (stage === 'ask' && consent === 'no' && (isFileAsked || neverMind.test(text))) return 'no'
  // A question may be answered with "no", and with a job under way a "cancel" may mean either.
  const isOpen = stage === 'proposal' || stage === 'choices'
  if (consent === 'cancel' && hasJob) return isOpen ? undefined : 'cancel'
  return isOpen ? 'no' : undefined
}

const ownMoney =
  /^(?:(?:so|and|but|wait|hey|ok)[\s,]+)*(?:(?:did|do|have|has|is|will)\s+(?:i|you|my money)\b[^.!?\n"]{0,30}\bmy money|(?:is|has) my money\s(?:gone|lost|back|been taken)|(?:am|was|have|will) i\b[^.!?\n"]{0,20}\bcharged|(?:did|will|have) you charged? me|(?:have|did) i (?:already )?(?:paid|pay) for (?:it|this|that)|did you (?:just |already )?(?:buy|hire|order|purchase|pay) (?:something|anything|someone|somebody|anyone|anybody))\b[^.!?\n"]{0,20}\?*$/i
/** Reads a question about the user's own money, such as "so did I lose my money now?", where a text is asked for. */
const asksOwnMoney = (text: string): Act | undefined => (ownMoney.test(text.trim()) ? 'spending' : undefined)

const reason = /^(?:because|since|as|my|our|the|he|she|we|they|i(?!['’]?d\b)|it|somebody|someone)\b/i
const wish = /[\d"“]|\b(?:but|instead|rather|cheaper|other|another|change|make|please|should|would|want|need|mean|meant)\b/i

/** "Not this" and "that's all" choose or end a list, and refuse nothing. */
const partial = /^(?:no|not) (?:this|that|today|now)\b|^that['’]?s (?:all|enough)\b|^nothing (?:else|more)\b/i
/** Matches a reason to refuse: "too expensive", "because that is far too much". */
const judging =
  /^\W*(?:because |since |as )?(?:(?:it|that|this|he|she)(?:['’]s| is) |they(?:['’]re| are) )?(?:(?:way|far|much|a bit|just|simply) )*(?:too (?:much|dear|expensive|pricey|costly|slow|late|long|high|risky)|(?:so )?(?:expensive|dear|pricey|costly)|not worth (?:it|that))(?: for (?:me|us|that|this))?[.!]*$/i
/** A bare "no" may answer itself. */
const isRefusal = (it: string) => /\s/.test(it.trim()) && !partial.test(it) && readConsent(it) === 'no'

/** A refusal as the last sentence, or before its reason: "60 dollars?? No thanks.", "nah leave it, my cousin has one". */
const refusalInPart = (text: string): 'no' | undefined => {
  const sentences = text.trim().split(/(?<=[.!?…])\s+/)
  const [last = ''] = sentences.slice(-1)
  if (last.includes('?')) return undefined
  const refusesAtOnce = (said: readonly string[]) => {
    const [first = '', ...why] = said.flatMap(it => it.split(/,\s+/))
    const isNo = isRefusal(first) || (readConsent(first) === 'no' && why.length > 0 && why.every(it => judging.test(it)))
    return isNo && why.every(it => judging.test(it) || (reason.test(it) && !wish.test(it)))
  }
  const isBareNo = readConsent(last) === 'no' && sentences.slice(0, -1).every(it => judging.test(it))
  return (sentences.length > 1 && (isBareNo || refusesAtOnce([last]))) || refusesAtOnce(sentences) ? 'no' : undefined
}

const readOrder = (text: string, { terms }: Heard): Act | undefined => {
  if (isHarmful(text)) return 'declined'
  const payment = readPayment(text)
  // Another address may be named in place of the one that is proposed.
  const isOther = payment === 'fetch' && terms !== undefined && !isHire(terms)
  return payment === 'pay' || isOther ? 'pay' : undefined
}

const rather =
  /^\W*(?:(?:but|and|then|please|can you|could you|i['’]d)\s+)*(?:rather|instead|better|make (?:it|that)|change|take|use|try|lieber|besser|stattdessen|plut[oô]t|mejor|prefiero|piuttosto|meglio|liever|antes|prefiro)(?!\p{L})/iu
/** What stands behind the refusal that begins a message, if it orders or wishes something: "never mind, do it after all". */
const behindRefusal = (text: string): 'yes' | 'change' | undefined => {
  const [first = '', ...more] = text.trim().split(/[,;.!–—]\s+/)
  const rest = more.join(', ')
  if (rest === '' || readConsent(first) !== 'no') return undefined
  if (readConsent(rest.replace(/\s*\bafter all\b/i, '')) === 'yes') return 'yes'
  return rather.test(rest) ? 'change' : undefined
}
/** Acts that a message with something behind its refusal only resembles. */
const refusing: readonly Act[] = ['no', 'cancel', 'yes', 'task', 'answer']
/** How sure a reader is of a form. */
const byWords = 0.9

/** "Make it playful" changes the terms, however much it resembles "make it so". */
const remaking = /\bmake (?:it|that|this|them) \w/i

/** Forms of values that an agent works on, and that nobody says of the service. */
const worked = new Set(['url', 'email', 'host', 'ip', 'iban', 'wallet'])
/** Whether a message has such a value, or the ending of one: "is zirkel free as .io". */
const namesValue = (text: string): boolean => /(?:^|\s)\.\p{Ll}{2,}(?!\p{L})/u.test(text) || findSpans(text, worked).length > 0

/** What is asked or said of the service itself. */
const ofService: readonly Act[] = ['capabilities', 'how-it-works', 'greeting', 'thanks']

/** Most that a reader can be sure of a message whose likeliest act is none by its form. */
const unsure = 0.3

/** `wasDeclined`: the message before was harmful, so a reply that insists is declined, too. */
type Bound = { text: string; stage: Stage; wasDeclined: boolean }

/** A reading in which what only resembles a yes, a no, harm or a payment gives way to the second reading, or becomes unsure. */
export const boundByForm = (reading: TurnReading, { text, stage, wasDeclined }: Bound): TurnReading => {
  const { act, other, isPlain, slots } = reading
  if (isPlain) return reading
  // A first message with an address asks for work on it, and nothing about the service.
  if (stage === 'none' && !slots && ofService.includes(act) && namesValue(text)) return { ...reading, act: 'task', other: act }
  const behind = slots || stage === 'ask' || !refusing.includes(act) ? undefined : behindRefusal(text)
  if (behind === 'yes')
    return { ...reading, act: stage === 'proposal' ? 'no' : 'yes', other: 'yes', sure: stage === 'proposal' ? unsure : byWords }
  if (behind && stage === 'proposal') return { ...reading, act: 'change', other: 'no', sure: byWords }
  // What refuses in no word, such as "maybe", does not end a proposal: the user is asked, unless a model read it.
  if (act === 'no' && stage === 'proposal' && !slots && !refuses(text)) return { ...reading, other: 'yes', sure: unsure }
  if (act === 'no' && stage === 'ask' && !refuses(text)) return { ...reading, act: 'answer', other: 'no' }
  if (act === 'yes' && other === 'change' && remaking.test(text)) return { ...reading, act: 'change', other: 'yes' }
  const gives = act === 'pay' || (act === 'declined' && !wasDeclined)
  return gives ? { ...reading, act: other === 'yes' ? 'task' : other, other: 'task', sure: unsure } : reading
}

/** Acts that would change something or begin something else. */
const doing: readonly Act[] = ['change', 'task', 'pay', 'pick']

/** Whether a message of nothing but agreements and courtesies, such as "thanks", was taken for a change or a task. */
export const isUnclear = (text: string, act: Act, terms: ProposedTerms | undefined): boolean =>
  terms !== undefined && doing.includes(act) && readConsent(text, toOffer(terms)) === 'unclear'

/**
 * What is said to a message that asks for secrets, that reproaches the service, that asks about its user's card or data, that
 * resembles a payment of an address, or that a model takes for harm; undefined for every other message. It accuses nobody.
 */
export const replyTo = (
  text: string,
  { act, isPlain, slots }: TurnReading,
  wasDeclined: boolean,
): { act: Act; words: string } | undefined => {
  if (isPlain) return undefined
  if (asksForSecrets(text)) return { act: 'about', words: noSecrets }
  const told = toServiceAnswer(text)
  if (told !== undefined) return { act: 'about', words: told }
  if (act === 'pay' && readPayment(text) === 'fetch') return { act: 'about', words: isLink.test(text) ? whatWithIt : payOrTask }
  return act === 'declined' && slots !== undefined && !wasDeclined ? { act, words: whatFor } : undefined
}

const noSecrets =
  'I have no keys to show: the keys of wallets are kept where neither I nor an agent can read them. ' +
  'My own instructions are of no use to you.'
const whatFor =
  'I do not take this on as it stands. If I misread you, say in other words what should come out of it, and what it is for.'
/** A message that is an address and nothing else. */
const isLink = /^\s*https?:\/\/\S+\s*$/i
const whatWithIt =
  'What should be done with that address? Tell me, and I find an agent for it. ' +
  'To pay it by x402, say “pay” and the address, with your limit.'
const payOrTask =
  'Shall I pay that address by x402? Then say “pay” and the address, with your limit; ' +
  'you see its price before anything is paid. Or tell me what an agent should do with it.'
