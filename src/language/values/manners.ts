import type { Slot } from '../fields/fields.ts'
import type { Filling } from '../fields/filling.ts'
import { toTokens } from '../words/tokens.ts'
import { isDeed, isEmpty } from '../words/vocabulary.ts'
import { splitWords } from '../words/words.ts'

// Reads tone, style and audience, by their own words or by the examples in the field's description.

const adjective = String.raw`(\p{L}[\p{L}-]+(?:(?:,? and |, | )\p{L}[\p{L}-]+)?)`
const audience =
  /(?<![\p{L}])(?:(?:aimed|targeted) at|(?:for|to) an audience of|(?:our|my|the) (?:readers|audience) (?:is|are)(?: mostly| mainly)?)\s+([^,.;:!?\n\uE000]{2,80})/iu

/** A field for the type of something: `roomType`, `food_type`, "type of cuisine in restaurant". */
const typing = /^(?:type|kind|category|genre|class|cuisine|style)$/
const kindOfThing = /(?:type|kind|category|genre|class|style)s? of (?:the |an? )?(\p{L}+)(?: in (?:the |an? )?(\p{L}+))?/iu

/** Gives the word before a noun to the field for its type: "a deluxe room", "Thai restaurant". */
const readTypes = (filling: Filling): void => {
  for (const slot of filling.open().filter(it => it.type === 'string' && it.allowed.length === 0)) {
    const words = splitWords(slot.path.at(-1) ?? slot.name)
    if (!words.some(it => typing.test(it))) continue
    const told = kindOfThing.exec(slot.description) ?? []
    const nouns = [...words, ...told.slice(1).map(it => it?.toLowerCase() ?? '')].filter(it => it.length > 2 && !typing.test(it))
    if (nouns.length === 0) continue
    const singular = nouns.map(it => it.replace(/s$/, '')).join('|')
    const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}'’-])(\p{L}[\p{L}-]+) (?:${singular})s?(?!\p{L})`, 'giu')
    const found = [...filling.page.rest().matchAll(pattern)].find(({ 1: said = '' }) => {
      const word = said.toLowerCase()
      return !isEmpty(word) && !isDeed(word) && !filling.isOwn(word)
    })
    const said = found?.[1]
    if (found && said && filling.give(slot, said)) filling.page.take(found.index, found.index + said.length)
  }
}

const patternsOf = ({ name }: Slot): RegExp[] => {
  const word = splitWords(name).at(-1) ?? ''
  if (word === 'audience') return [audience]
  return [
    new RegExp(String.raw`(?<![\p{L}])in the ${word} of ([^,.;:!?\n\uE000]{2,60})`, 'iu'),
    new RegExp(String.raw`(?<![\p{L}])(?:(?:in|with) )?(?:an? |the )?${adjective} ${word}(?![\p{L}])`, 'iu'),
  ]
}

const quotedLead =
  /\b(?:such as|e\.?g\.?,?|for example,?|like|examples?(?: \w+){0,3}(?: are| include)?:?|one of:?|(?:can|may|must) be(?: either)?|options(?: are| include)?:?|values(?: are| include)?:?)\s+(.{1,400})/i
const maxExamples = 40
/** Returns the quoted examples of a field's description. */
const quotedExamples = ({ description }: Slot): string[] => {
  const list = quotedLead.exec(description)?.[1] ?? ''
  return [...list.matchAll(/["'“`]([^"'“”`]{2,60})["'”`]/g)].map(it => it[1] ?? '').slice(0, maxExamples)
}

/** The values that a description enumerates, in lower case. */
export const enumerated = (slot: Slot): Set<string> =>
  new Set([...quotedExamples(slot), ...examplesOf(slot)].map(it => it.toLowerCase()))

const readExamples = (filling: Filling, slot: Slot): void => {
  const said = splitWords(filling.page.rest()).join(' ')
  const value = quotedExamples(slot).find(
    it => splitWords(it).some(word => !isEmpty(word)) && ` ${said} `.includes(` ${splitWords(it).join(' ')} `),
  )
  if (value) filling.give(slot, value)
}

/** Returns the single words that a description lists as examples: "Cheerful, dark, solemn ...". */
const examplesOf = ({ description }: Slot): string[] => {
  const list =
    /(?:^|e\.g\.|such as|like|for example|one of|(?:can|may|must) be(?: either)?|\()\s*((?:\p{L}+(?:,\s*|\s+or\s+)){1,8}\p{L}+)/iu.exec(
      description.slice(0, 400),
    )?.[1]
  return list ? splitWords(list).filter(it => it !== 'or') : []
}

/** Fills fields for tone, style and audience, and other fields whose description lists examples. */
export const readManners = (filling: Filling): void => {
  readTypes(filling)
  for (const slot of filling.open('manner', 'topic', 'text', 'name', 'place')) {
    readExamples(filling, slot)
    if (filling.values.has(slot.name) || slot.kind === 'name' || slot.kind === 'place') continue
    const patterns = slot.kind === 'manner' ? patternsOf(slot) : []
    for (const pattern of patterns) {
      const match = pattern.exec(filling.page.rest())
      const words = (match?.[1] ?? '').split(' ')
      while (words.length > 0 && isEmpty((words[0] ?? '').toLowerCase())) words.shift()
      const said = words.join(' ').trim()
      if (!match || said === '' || !filling.give(slot, said)) continue
      filling.page.take(match.index, match.index + match[0].length)
      break
    }
    const examples = new Set(examplesOf(slot))
    const token = toTokens(filling.page.rest()).find(it => examples.has(it.word) && !isEmpty(it.word))
    if (token && examples.size > 1 && filling.give(slot, filling.page.whole.slice(token.from, token.to)))
      filling.page.take(token.from, token.to)
  }
}
