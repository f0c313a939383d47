import type { Slot } from '../fields/fields.ts'
import type { Filling } from '../fields/filling.ts'
import { isEnglish } from '../words/englishWords.ts'
import { oppositesOf } from '../words/opposites.ts'
import { stem } from '../words/stem.ts'
import { type Token, toTokens } from '../words/tokens.ts'
import { usedMark } from '../words/used.ts'
import { isDeed, isEmpty } from '../words/vocabulary.ts'
import { splitWords } from '../words/words.ts'

// Reads yes-or-no fields by the words of their names and descriptions. What is said around such a word decides between yes and no.

const negations = new Set(
  splitWords(
    'no not without don dont exclude skip never isn isnt stop avoid neither nor none nothing nobody aren doesn won needn cannot',
  ),
)
const sorted = (word: string) => [...word].sort().join('')
/** A negation, also with its letters in another order: "whitout". */
const isNegation = ({ word }: Token) => negations.has(word) || (!isEnglish(word) && sorted(word) === sorted('without'))
/** Who has a thing or does a deed needs none: "my own helmet", "we drive ourselves". */
const having = new Set(splitWords('own already ourselves myself'))
/** Fields for what one side brings. Who says to have it needs none brought. */
const isBrought = /\b(?:bring|brings|need|needs|needed|provide|provided|supply|supplied|rent|include|included)\b/i
/** Verbs that keep what the verbs of a field take away. */
const keeping = new Set(splitWords('keep leave retain'))
const takingAway = /^(?:remov|strip|cut|delet|exclud|skip|without|no|omit|drop)/
const idle = new Set(splitWords('included enabled use allow is has want need with should flag add make wants needs').map(stem))

const stemLetters = 4
/** Whether a word is that of a name, which may be short for it: `stats` for "statistics". */
const isSaid = (said: string, word: string): boolean =>
  said === word ||
  (word.length >= stemLetters && said.startsWith(word)) ||
  (said.length >= stemLetters && word.startsWith(said) && word.length - said.length < 4)

type Place = { from: number; to: number; at: number; end: number }

/** Where the words of a name stand one after the other. */
const placeOfAll = (tokens: readonly Token[], words: readonly string[]): Place | undefined => {
  for (const [at, first] of tokens.entries()) {
    let end = at
    const isFound = words.every(word => {
      // A word may stand between: "our own sound engineer".
      const next = [end, end + 1].find(place => isSaid(tokens[place]?.stem ?? '', word) && (end > at || place === at))
      end = (next ?? end) + 1
      return next !== undefined
    })
    const last = tokens[end - 1]
    if (isFound && words.length > 0 && last) return { from: first.from, to: last.to, at, end }
  }
  return undefined
}

const mostTold = 8
/** The words that tell a field from the others and from the listing. */
const tellingOf = ({ slots, isListed }: Filling, slot: Slot): string[] => {
  const others = new Set(slots.flatMap(it => (it === slot ? [] : it.terms)))
  const named = splitWords(slot.path.at(-1) ?? slot.name)
  const own = named
    .filter(it => !isEmpty(it) && !takingAway.test(it))
    .map(stem)
    .filter(it => !idle.has(it))
  // Where the description says the name again, its other words are no names of the field, but its examples are.
  const [, samples = ''] = /\b(?:such as|like|e\.g\.|for example)\s+(.+)$/i.exec(slot.description) ?? []
  const isRepeated = splitWords(slot.description).some(it => own.includes(stem(it)))
  const told = splitWords(isRepeated ? samples : slot.description).filter(it => !isEmpty(it))
  const words = [...named, ...(told.length <= mostTold ? told : [])]
  return words.filter(
    it => it.length > 1 && !isEmpty(it) && !isDeed(it) && !isListed(it) && !idle.has(stem(it)) && !others.has(stem(it)),
  )
}

const placeOfOne = (tokens: readonly Token[], stems: readonly string[]): Place | undefined => {
  const at = tokens.findIndex(it => it.stem !== '' && stems.some(word => isSaid(it.stem, word)))
  const token = tokens[at]
  return token && { from: token.from, to: token.to, at, end: at + 1 }
}

/** "Unfurnished" says no for "furnished". */
const opposed = (names: readonly string[], { description }: Slot): string[] => [
  ...(names.length === 1 ? names.flatMap(it => ['un', 'non', 'in'].map(prefix => `${prefix}${it}`)) : []),
  // "Case sensitive" says no for "case-insensitive".
  ...splitWords(description).flatMap(it => (/^(?:in|un|non)\p{L}{6,}/u.test(it) ? stem(it.replace(/^(?:in|un|non)/, '')) : [])),
]

const placeOf = (text: string, tokens: readonly Token[], pattern: RegExp): Place | undefined => {
  const found = pattern.exec(text)
  if (!found) return undefined
  const [from, to] = [found.index, found.index + found[0].length]
  const at = tokens.findIndex(it => it.to > from)
  const end = tokens.findIndex(it => it.from >= to)
  return { from, to, at, end: end < 0 ? tokens.length : end }
}

const reach = { before: 5, after: 4, joined: 11 }
/** Whose user does not care says neither yes nor no. */
const uncaring =
  /(?<!\p{L})(?:not (?:concerned|bothered|picky|fussy)|(?:do not|don['’]?t|does not|doesn['’]?t) (?:care|mind|matter)|no preference|makes no difference)(?!\p{L})[^.;!?]{0,80}$/iu
const isBreak = ({ stem: it }: Token) => it === ''
const denying = /^(?:not|isn|aren|unnecessary)$/

/** Whether somebody has what a field asks to be brought: "my own helmet", "we have all the tools". */
const isHad = (near: readonly Token[], { name, description }: Slot): boolean => {
  const words = splitWords(name)
  const has = (at: number) =>
    /^(?:have|got)$/.test(near[at]?.word ?? '') && /^(?:i|we|all|ve)$/.test(near[at - 1]?.word ?? near[at + 1]?.word ?? '')
  const isOwn = ({ word }: Token) => having.has(word) && !words.includes(word)
  return isBrought.test(`${words.join(' ')} ${description}`) && near.some((it, at) => isOwn(it) || has(at))
}

/** Whether the words around a place in its clause deny it. */
const isDenied = (tokens: readonly Token[], { at, end }: Place, slot: Slot): boolean => {
  // "Not a garage or a laundry" denies both.
  const far = tokens.slice(Math.max(0, at - reach.joined), at)
  const all = far.some(it => it.word === 'or') ? far.filter(it => it.word !== usedMark) : far.slice(-reach.before)
  const before = all.slice(all.findLastIndex(isBreak) + 1)
  const behind = tokens.slice(end, end + reach.after)
  const stop = behind.findIndex(isBreak)
  const after = stop < 0 ? behind : behind.slice(0, stop)
  const near = [...before, ...after]
  const isKept = splitWords(slot.name).some(it => takingAway.test(it)) && near.some(it => keeping.has(it.word))
  return before.some(isNegation) || after.slice(0, 3).some(it => denying.test(it.word)) || isKept || isHad(near, slot)
}

const measuring = new Set(splitWords('is are was were measures'))
/** Whether words tell the size of a thing, and wish nothing of it: "the ceiling is 2.6 metres high". */
const isMeasured = (tokens: readonly Token[], { end }: Place): boolean =>
  measuring.has(tokens[end]?.word ?? '') && tokens.slice(end + 1, end + reach.after).some(it => /^[\d\uE000]/.test(it.word))

/** Where a text speaks of a field, and whether it says yes. */
const meantIn = (filling: Filling, slot: Slot): (Place & { isYes: boolean }) | undefined => {
  const text = filling.page.rest()
  const tokens = toTokens(text)
  const opposites = oppositesOf(slot.path.at(-1) ?? slot.name)
  const no = opposites?.no && placeOf(text, tokens, opposites.no)
  const names = splitWords(slot.path.at(-1) ?? slot.name)
    .map(stem)
    .filter(it => !idle.has(it))
  const denied = no ?? placeOfOne(tokens, opposed(names, slot))
  if (denied) return { ...denied, isYes: false }
  const found =
    placeOfAll(tokens, names) ??
    (opposites && placeOf(text, tokens, opposites.yes)) ??
    placeOfOne(tokens, tellingOf(filling, slot).map(stem))
  return found && !isMeasured(tokens, found) ? { ...found, isYes: !isDenied(tokens, found, slot) } : undefined
}

/** Fills yes-or-no fields of which the message speaks. */
export const readBooleans = (filling: Filling): void => {
  for (const slot of filling.open('boolean')) {
    const found = meantIn(filling, slot)
    if (!found || uncaring.test(filling.page.rest().slice(0, found.from))) continue
    const said = slot.allowed.find(it => /^(?:true|yes)$/i.test(String(it)) === found.isYes)
    if (filling.give(slot, said ?? found.isYes)) filling.page.take(found.from, found.to)
  }
}
