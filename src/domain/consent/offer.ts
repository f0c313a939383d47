import { maxDecimals, parseUsdc } from '../money/money.ts'
import { shownChars } from './digest.ts'

// Splits a message into the units that the tables of consent are written in: words, or single characters where a script has no
// spaces.

const marks = /[\u0300-\u036f\ufe0f\u{1f3fb}-\u{1f3ff}]/gu
const smiles = /(?<=^|\s):-?[)D](?=\s|$)/g
const apostrophe = /(?<=\p{L})['’ʼ](?=\p{L})/gu
const separators = /(?:[.,](?!\d)|(?<!\d)[.,]|[\s!¡;:\-–—。、])+/u
/** Characters of scripts without spaces. */
const unspaced = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー'
const picture = '\\p{Extended_Pictographic}'
const units = new RegExp(`[${unspaced}]|${picture}|[^${unspaced}${picture}]+`, 'gu')

/** A text in lower case, without accents and with plain punctuation, as all tables and messages are compared. */
export const toPlain = (text: string): string =>
  text
    .replace(smiles, '🙂')
    .toLowerCase()
    .normalize('NFKD')
    .replace(marks, '')
    .normalize('NFC')
    .replaceAll('ı', 'i')
    .replace(apostrophe, '')

/** The units of a plain text, in order. Any other sign stays in its unit, so that no table contains it. */
export const toAtoms = (plain: string): string[] =>
  plain
    .split(separators)
    .filter(Boolean)
    .flatMap(it => it.match(units) ?? [])

/** What a user may name of the open terms in a yes. `total`: decimal USDC. */
export type Offer = { names: readonly string[]; total: string; digest: string }

/** The own names and figures of an offer, ready to be compared with a message. */
export type OwnWords = {
  /** Number of units from `at` that are a name of the offer; 0 for none. */
  nameAt(atoms: readonly string[], at: number): number
  /** 1 for a word of a name of the offer. */
  partAt(atoms: readonly string[], at: number): number
  /** Number of units from `at` that are its total. */
  totalAt(atoms: readonly string[], at: number): number
  /** Number of units from `at` that are its digest, in full or as it is shown. */
  digestAt(atoms: readonly string[], at: number): number
}

const nameAtoms = 8
const nameLetters = 3

/**
 * Words that would turn a yes: with an offering called "something cheaper", "hire something cheaper" would agree to it. A name
 * with one of them cannot be said in a yes; the yes itself can.
 */
const turning = new Set(
  toAtoms(
    toPlain(`no not never nothing none nobody without dont cannot cant wont stop wait hold cancel refuse but if unless except
    only just instead rather
    else other another different someone somebody something anyone anybody anything cheaper cheapest cheap free less more lower
    half twice double
    later soon tomorrow today tonight yesterday next after before until when while once first second last maybe perhaps why how
    what who where which
    and or yet again nicht kein keine ohne aber wenn falls nur sondern später morgen billiger andere anderer anderes pas non
    mais si sans moins plus demain autre
    no pero si sin más mañana otro otra barato não mas se sem amanhã outro ma però senza domani altro hayır ama eğer değil
    sonra yarın başka
    нет не но если только потом завтра другой дешевле без 不 没 沒 别 別 但 如 明 後 后 再 ない でも もし 明日`),
  ),
)

const isSayable = (atoms: string[]) =>
  atoms.length <= nameAtoms &&
  atoms.join('').replace(/[^\p{L}]/gu, '').length >= nameLetters &&
  !atoms.some(it => turning.has(it))

const startsWith = (atoms: readonly string[], at: number, name: readonly string[]) =>
  name.every((word, place) => atoms[at + place] === word)

const figure = /^\$?(\d{1,12}(?:[.,]\d{1,18})?)(usdc|usd|\$|dollars?|cents?|ct|c|¢)?$/
const unit = /^(?:usdc|usd|dollars?|bucks|cents?|ct|¢|\$)$/
const isCent = (of: string) => /^(?:c|ct|cents?|¢)$/.test(of)
/** A comma before three digits may separate thousands. */
const unclear = /,\d{3}$/

const toAtomic = (decimal: string): bigint => parseUsdc(decimal.replace(',', '.'), maxDecimals) ?? -1n

const isTotal = (amount: string, of: string, total: string): boolean =>
  !unclear.test(amount) && toAtomic(amount) === toAtomic(total) * (isCent(of) ? 100n : 1n)

const digest = new RegExp(`^[0-9a-f]{${shownChars},64}$`)

export const toOwnWords = ({ names, total, digest: open }: Offer): OwnWords => {
  const own = names
    .map(it => toAtoms(toPlain(it)))
    .filter(isSayable)
    .sort((a, b) => b.length - a.length)
  const parts = new Set(own.flat().filter(it => it.length >= nameLetters))
  return {
    partAt: (atoms, at) => Number(parts.has(atoms[at] ?? '')),
    nameAt: (atoms, at) => own.find(it => startsWith(atoms, at, it))?.length ?? 0,
    totalAt: (atoms, at) => {
      const [, amount, joined = ''] = figure.exec(atoms[at] ?? '') ?? []
      if (amount === undefined) return 0
      const next = joined === '' ? (unit.exec(atoms[at + 1] ?? '')?.[0] ?? '') : ''
      return isTotal(amount, joined || next, total) ? 1 + (next === '' ? 0 : 1) : 0
    },
    digestAt: (atoms, at) => {
      const said = atoms[at] ?? ''
      return digest.test(said) && (said === open || said === open.slice(0, shownChars)) ? 1 : 0
    },
  }
}
