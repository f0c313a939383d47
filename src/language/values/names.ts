import { isWholeText, type Slot } from '../fields/fields.ts'
import type { Filling } from '../fields/filling.ts'
import { unitOf } from '../words/measures.ts'
import { toNumber } from '../words/numerals.ts'
import { stem } from '../words/stem.ts'
import { isDeed, isEmpty, isOfPrice } from '../words/vocabulary.ts'
import { splitWords } from '../words/words.ts'

// Reads names of people, companies, restaurants and teams, by the word before them, their capital letters, or as the remaining
// words.

const title = String.raw`(?:(?:Dr|Mr|Mrs|Ms|Prof|Sir|St)\.? )`
const part = String.raw`(?:\p{Lu}(?:\.(?:\p{Lu}\.?)*(?!\p{L})|[\p{L}\p{M}\p{N}'’-]*)|\d[\p{L}\p{N}-]*)`
const name = String.raw`${title}?${part}(?: (?:(?:&|and(?! I(?!\p{L}))|of|de|du|la|le|van|von|der|the|y|e) )?${part}){0,5}`
const edge = String.raw`(?<![\p{L}\p{N}])`
const clean = (text: string) => text.replace(/['’]s$|[\s.,'’-]+$/g, '')

type Found = { text: string; from: number; to: number }
const after = (text: string, leads: string): Found[] =>
  [...text.matchAll(new RegExp(String.raw`${edge}(?:${leads})\s+(?:the )?(${name})`, 'gu'))].map(match => {
    const from = match.index + match[0].lastIndexOf(match[1] ?? '')
    const said = clean(match[1] ?? '')
    return { text: said, from, to: from + said.length }
  })

const isNoName =
  /^(?:I|\p{L}+['’](?:m|re|ve|ll|d)|Please|Hi|Hello|Dear|The|Mr|Mrs|Ms|Dr|OK|Yes|No|A|An|My|We|Can|Could|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|USDC?|EUR|PDF|\d+)$/u
const give = (filling: Filling, slot: Slot, found: (Found & { isTyped?: boolean }) | undefined): boolean => {
  if (!found || isNoName.test(found.text) || !filling.give(slot, found.text, found.isTyped ?? true)) return false
  filling.page.take(found.from, found.to)
  return true
}

/** Words that precede a name, depending on the purpose of the field. */
const leadsOf = ({ name: field, description }: Slot): string | undefined => {
  const told = `${field.replaceAll('_', ' ')} ${description}`
  if (/restaurant|hotel|venue|bar\b|salon|clinic/i.test(told)) return 'at|to'
  if (/artist|author|director|directed|singer|band|composer/i.test(told)) return 'by|of|from'
  if (/actor|cast\b|starring|acting|doctor|stylist/i.test(told)) return 'with|starring|featuring'
  if (/whom it is for|for whom|recipient/i.test(told)) return 'for|to'
  if (/brand|company|product/i.test(told)) return 'for|of|by'
  if (/team|player|club/i.test(told)) return 'did|do|does|of|for|has|have|will|by'
  return /name/i.test(field) ? 'for|by' : undefined
}

const pair = new RegExp(
  String.raw`${edge}(?:(?<led>between|among)|of)\s+(?<a>[^,;.!?\n\uE000]{2,60}?)\s+(?:and|&|with|versus|vs\.?)\s+(?<b>[^,;.!?\n\uE000]{2,60}?)(?=\s*(?:$|[,;.!?\n\uE000]|(?:for|from|on|under|valid|starting|effective|governed|with)(?!\p{L})))`,
  'iu',
)
const party = /party|side|parties|player|team|person|first|second/i
const counted = /_?[ab12]$/i
/** Reads two names for two fields of the same kind: "between Oki Ltd and Rune Berg". */
const readPair = (filling: Filling): void => {
  const isParty = ({ name, description }: Slot) => counted.test(name) || party.test(`${name} ${description}`)
  const [first, second] = filling.open('text', 'name', 'place', 'topic').filter(it => it.required && isParty(it))
  const match = first && second ? pair.exec(filling.page.rest()) : null
  if (!match || !first || !second) return
  const isMe = (it: string) => /^(?:me|us|myself)$/i.test(it)
  const { a = '', b = '', led: isLed } = match.groups ?? {}
  // "A contract of sale and purchase" names nobody.
  if (!isLed && ![a, b].every(it => /^\p{Lu}/u.test(it))) return
  const given = [filling.give(first, isMe(a) ? undefined : a.trim()), filling.give(second, isMe(b) ? undefined : b.trim())]
  if (given.some(it => it)) filling.page.take(match.index, match.index + match[0].length)
}

/** Two fields for the parts of one name, the first and the last part: "Ada Byron", "Fiat Panda". */
const namePairs: [first: RegExp, last: RegExp][] = [
  [/forename|(?:given|first|christian)[ _]?names?/i, /surname|(?:last|family|second)[ _]?name/i],
  [/^(?:make|brand|manufacturer)$/i, /^model$/i],
]
const fullName = new RegExp(
  String.raw`(?<=^[\s\uE000]*|[\p{Ll}\p{N},;:)\uE000] )(?<first>${part}(?: ${part})*?) (?<last>${part}(?: ${part})*)(?![\p{L}])`,
  'gu',
)
/** Gives a name to the two fields for its parts. The family name is the last word, a make the first one. */
export const readFullNames = (filling: Filling): void => {
  for (const [isFirst, isLast] of namePairs) {
    const open = filling.open('name', 'text', 'topic')
    const [first, last] = [
      open.find(it => isFirst.test(it.path.at(-1) ?? '')),
      open.find(it => isLast.test(it.path.at(-1) ?? '')),
    ]
    if (!first || !last) continue
    const all = [...filling.page.rest().matchAll(fullName)]
    const found = all.find(it => !isNoName.test(it.groups?.first ?? '') && !isOwnName(filling, it[0]))
    if (!found) continue
    const words = clean(found[0]).split(' ')
    const at = last.kind === 'name' ? words.length - 1 : 1
    if (!filling.give(last, words.slice(at).join(' '))) continue
    filling.give(first, words.slice(0, at).join(' '))
    filling.page.take(found.index, found.index + found[0].length)
  }
}

const isOwnName = (filling: Filling, text: string) => splitWords(text).every(it => filling.isOwn(it) || isEmpty(it) || isDeed(it))

const inside = new RegExp(String.raw`(?<=[\p{Ll}\p{N},;:)] )${name}`, 'gu')
/** A name of several words that begins a list of values: "Ada Byron, 5 Hill Road". */
const atStart = /^[\s\uE000•*-]*(?<it>\p{Lu}[\p{L}\p{M}'’-]+(?: \p{Lu}[\p{L}\p{M}'’-]+){1,3})(?=\s*(?:[,:(\n\uE000]|$))/u
const maxWords = 8
/** Finds a capitalised name inside a sentence. In a short message it returns the words that are not the listing's own. */
const findOnly = (filling: Filling): Found | undefined => {
  const text = filling.page.rest()
  const names = [...text.matchAll(inside)].map(it => ({ text: clean(it[0]), from: it.index, to: it.index + clean(it[0]).length }))
  const start = atStart.exec(text)
  const first = start?.groups?.it
  const word = first?.split(' ')[0] ?? ''
  if (start && first && !isNoName.test(word) && !isEmpty(word.toLowerCase()) && !isDeed(word) && !isOwnName(filling, first))
    return { text: first, from: start[0].length - first.length, to: start[0].length }
  const real = names.find(it => !isNoName.test(it.text) && !isOwnName(filling, it.text))
  if (real) return real
  const words = [...text.matchAll(/[\p{L}\p{M}\p{N}'’&-]+/gu)]
  if (words.length > maxWords) return undefined
  const isTelling = (it: string) =>
    !isEmpty(it.toLowerCase().replace(/['’].*$/, '')) &&
    !isOfPrice(it.toLowerCase()) &&
    !(toNumber(it) > 0) &&
    unitOf(it) === undefined &&
    !isDeed(it) &&
    !filling.isOwn(it.toLowerCase()) &&
    !/^(?:says?|said|reads?|puts?|called|named|win|won|lose|lost|beat|play|plays|playing|lst|last|night|result|results|match)$/i.test(
      it,
    )
  const begin = words.findIndex(it => isTelling(it[0]))
  if (begin < 0) return undefined
  // "A logo for a podcast" describes a kind of thing and gives no name.
  if (/^(?:an?|my|our|the|his|her|their|some)$/i.test(words[begin - 1]?.[0] ?? '') && /^\p{Ll}/u.test(words[begin]?.[0] ?? ''))
    return undefined
  let end = begin
  while (words[end + 1] && isTelling(words[end + 1]?.[0] ?? '') && end - begin < 3) end += 1
  const [a, b] = [words[begin], words[end]]
  return a && b ? { text: text.slice(a.index, b.index + b[0].length), from: a.index, to: b.index + b[0].length } : undefined
}

/** Fields that a name in the text is not for. */
const noName = /\b(?:reason|sequence|label|slogan|title|brand|func)\b|prompt/i

/** Gives a capitalised name that no other field took to the only required text, if the field is none for a whole text. */
const readProper = (filling: Filling): void => {
  const open = filling.open('text').filter(it => it.required && it.type === 'string')
  const [slot, ...others] = open
  if (!slot || others.length > 0 || isWholeText(slot) || noName.test(slot.name) || filling.open('name').some(it => it.required))
    return
  const text = filling.page.rest()
  const real = [...text.matchAll(led)].flatMap(({ 1: said = '', index, 0: all }) => {
    const found = clean(said)
    const from = index + all.length - said.length
    const isYear = /^\d{4}$/.test(found)
    return (isNoName.test(found) && !isYear) || isOwnName(filling, found) ? [] : [{ text: found, from, to: from + found.length }]
  })
  give(filling, slot, real[0])
}
const led = new RegExp(
  String.raw`${edge}(?:in|on|for|of|with|at|from|by|using|about|to)\s+(?:the )?(${part}(?: (?:(?:&|of|de|du|la|le|van|von|der|the) )?${part}){0,5})`,
  'gu',
)

/** Gives a name to the field of which it has a word: "the Pellworth Foundation" for the foundation that is applied to. */
const readTelling = (filling: Filling): void => {
  for (const slot of filling.open('name', 'topic', 'text').filter(it => !isWholeText(it))) {
    const found = [...filling.page.rest().matchAll(inside)].find(({ 0: said }) => {
      const words = splitWords(said)
      return words.length > 1 && words.some(it => slot.terms.includes(stem(it))) && !isOwnName(filling, said)
    })
    if (found) give(filling, slot, { text: clean(found[0]), from: found.index, to: found.index + clean(found[0]).length })
  }
}

const roled = new RegExp(String.raw`${edge}(${name}) (?:as|in) (?:the |an? |our |my )?(?<role>\p{Ll}{4,})`, 'gu')
/** "Ada Byron as the director" or "in the cast" is the director, whatever ending the field has: `directed_by`. */
const asRole = (filling: Filling, slot: Slot): Found | undefined => {
  const own = splitWords(slot.path.at(-1) ?? '').map(it => it.slice(0, roleLetters))
  const found = [...filling.page.rest().matchAll(roled)].find(it => own.includes((it.groups?.role ?? '').slice(0, roleLetters)))
  const said = clean(found?.[1] ?? '')
  return found && { text: said, from: found.index, to: found.index + said.length }
}
const roleLetters = 5

/** Fills name fields. A name without an introducing word is only used for the one required name. */
export const readNames = (filling: Filling): void => {
  readPair(filling)
  readTelling(filling)
  for (const slot of filling.open('name')) {
    const leads = leadsOf(slot)
    const led = leads
      ? after(filling.page.rest(), leads).filter(it => !isNoName.test(it.text) && !isOwnName(filling, it.text))
      : []
    if (give(filling, slot, asRole(filling, slot)) || give(filling, slot, led[0])) continue
    const isOnly = slot.required && filling.open('name').filter(it => it.required).length === 1
    const only = isOnly ? findOnly(filling) : undefined
    if (only) give(filling, slot, { ...only, isTyped: false })
  }
  readProper(filling)
}
