import { isObject, type Json, type JsonObject, jsonObject } from '../../domain/json.ts'
import type { Slot } from '../fields/fields.ts'
import { isWords } from '../fields/fields.ts'
import type { Filling } from '../fields/filling.ts'
import { exactText } from '../fields/page.ts'
import { readJson, valueAt } from '../fields/requirement.ts'
import { findMaterial } from '../text/marked.ts'
import { findQuotations } from '../text/quotations.ts'
import { kindOfWord } from '../words/fieldKinds.ts'
import { numeral, toNumber } from '../words/numerals.ts'
import { stem } from '../words/stem.ts'
import { isEmpty } from '../words/vocabulary.ts'
import { isStopWord, splitWords, toTerms } from '../words/words.ts'
import { materialSlot } from './material.ts'

// Reads values that the user labels with the field's name: pasted JSON, "city: Oslo", "branch develop", "called Tern & Tide".

const yesNo: Record<string, boolean> = { yes: true, true: true, on: true, no: false, false: false, off: false }
const toList = (text: string) => text.split(/[\n,;]|\s+and\s+/).flatMap(it => it.trim() || [])

/**
 * Converts a text to a value that the field's schema allows. It tries a choice, the text, JSON, a number, yes or no, and a
 * list.
 */
export const convert = (value: Json, slot: Slot): Json | undefined => {
  if (typeof value !== 'string') return slot.fits(value) ? value : undefined
  const text = value.trim()
  if (text === '') return undefined
  const choice = slot.allowed.find(it => String(it).toLowerCase() === text.toLowerCase().replace(/[.!]$/, ''))
  const isNumber = new RegExp(`^${numeral}$`, 'iu').test(text)
  const forms: (Json | undefined)[] = [
    choice,
    slot.kind === 'list' ? undefined : text,
    readJson(text),
    isNumber ? toNumber(text) : undefined,
  ]
  return [...forms, yesNo[text.toLowerCase()], toList(text)].find(form => form !== undefined && slot.fits(form))
}

/** A value that was given by the name of its field. A text is taken as it is. */
const toNamed = (value: Json, slot: Slot): Json | undefined =>
  typeof value === 'string' && (slot.kind === 'text' || slot.kind === 'topic') && slot.fits(value) ? value : convert(value, slot)

/** Reads pasted JSON with values for the form. With other members it is material, unless the message is nothing else. */
const readPasted = (filling: Filling): void => {
  const { page, slots } = filling
  const text = page.rest()
  const [start, end] = [text.indexOf('{'), text.lastIndexOf('}')]
  const value = start >= 0 && end > start ? readJson(page.whole.slice(start, end + 1)) : undefined
  if (!isObject(value)) return
  const object: JsonObject = jsonObject.parse(value)
  const isForm = Object.keys(object).every(name => slots.some(it => it.path.includes(name)))
  if (!isForm && /\p{L}/u.test(text.slice(0, start)) && materialSlot(slots)) return
  const given = slots.filter(it => {
    // The object of an answer may be a member of the input.
    const said = valueAt(object, it.path) ?? valueAt(object, it.path.slice(-1))
    return said !== undefined && filling.give(it, toNamed(said, it))
  })
  if (given.length > 0) page.take(start, end + 1)
}

const unquote = (text: string) => text.replace(/^(["'“‘`])([\s\S]*)["'”’`][.,;]?$/, '$2').replace(/[,;]$/, '')
/** A text as it was said, without the marks of one quotation around it. */
const toText = (said: string, isLast: boolean): string => {
  const text = said.replace(/^[ \t]*\n|^[ \t]+/, '').trimEnd()
  const [quoted] = findQuotations(text)
  if (quoted?.from === 0 && /^[.,;]?$/.test(text.slice(quoted.to))) return text.slice(quoted.start, quoted.end)
  return isLast ? text : text.replace(/[,;]$/, '')
}

type Label = { slot: Slot; from: number; to: number }
const label = /(?<=^|[\n,;.?!(\uE000]\s{0,3}|\band )["']?(?<name>\p{L}[\p{L}\p{M}\p{N}_ -]{0,60}?)["']?\s*[:=](?!\/\/)[ \t]*/gimu

/** The only member of a list; undefined for none or several. */
const onlyOf = <T>(all: readonly T[]): T | undefined => (all.length === 1 ? all[0] : undefined)
const joined = (words: string) => splitWords(words).join(' ')

/** The leaf that a label names word by word, alone or with the names of what it is a part of. */
const named = (said: string, slots: readonly Slot[]): Slot | undefined =>
  slots.find(it => joined(it.name) === said) ?? slots.find(it => joined(it.path.at(-1) ?? '') === said)

/** The leaf that a label of a form means: by what the leaf is a part of, by a part of its name, or by its kind. */
const meant = (said: string, slots: readonly Slot[]): Slot | undefined => {
  const words = said.split(' ').filter(it => !isStopWord(it))
  if (words.length === 0) return undefined
  const group = slots.filter(it => it.path.length > 1 && joined(it.path.at(-2) ?? '') === said && it.type === 'string')
  const has = (of: string) => {
    const terms = toTerms(of)
    return words.every(it => terms.includes(stem(it)))
  }
  // More words than one are a label only where a field is called so: "mysql query: …" is a request.
  const [word, ...more] = words
  const kind = more.length > 0 ? undefined : kindOfWord(word)
  return (
    group.find(it => it.kind === 'name') ??
    onlyOf(group.filter(it => it.required)) ??
    onlyOf(slots.filter(it => has(it.path.at(-1) ?? ''))) ??
    onlyOf(slots.filter(it => has(it.name))) ??
    onlyOf(slots.filter(it => it.kind === kind)) ??
    (more.length > 0 ? undefined : onlyOf(slots.filter(it => has(it.description))))
  )
}

/** The list whose name a few words have that introduce its items: "we like: tea, cake", "equipment we have: a band". */
const introduced = (said: string, slots: readonly Slot[]): Slot | undefined => {
  const words = said.split(' ').filter(it => !isStopWord(it) && !isEmpty(it))
  const isOf = (it: Slot) => it.kind === 'list' && words.every(word => toTerms(it.name).includes(stem(word)))
  return words.length === 0
    ? slots.find(it => it.kind === 'list' && said.split(' ').some(word => toTerms(it.name).includes(stem(word))))
    : onlyOf(slots.filter(isOf))
}

const mailHead = /^[ \t]*(?:from|to|subject):/im
/** Whether lines are a form: each begins with a label, or most do. */
const isForm = (text: string, lines: readonly number[]): boolean =>
  lines.length > 0 && !mailHead.test(text) && lines.length * 2 > text.split(/[\n\uE000]/).filter(it => it.trim() !== '').length

const findLabels = (text: string, slots: readonly Slot[]): Label[] => {
  const all = [...text.matchAll(label)].map(it => ({
    ...{ from: it.index, to: it.index + it[0].length, said: joined(it.groups?.name ?? '') },
    isLine: /(?:^|[\n\uE000])[^\S\n]*$/.test(text.slice(Math.max(0, it.index - 20), it.index)),
  }))
  const isOfForm = isForm(
    text,
    all.flatMap(it => (it.isLine ? it.from : [])),
  )
  const inOrder: Label[] = []
  for (const { said, isLine, from, to } of all) {
    const open = slots.filter(it => inOrder.every(one => one.slot !== it))
    const slot = named(said, slots) ?? (isLine && isOfForm ? meant(said, open) : introduced(said, open))
    if (slot && open.includes(slot)) inOrder.push({ slot, from, to })
  }
  const only = onlyOf(inOrder)
  // A line such as "data: 3" inside pasted material is no label.
  const below = only?.slot.kind === 'text' ? findMaterial(text) : undefined
  return below && only && below.start < only.from ? [] : inOrder
}

/**
 * Reads `city: Oslo` and `days = 3`. A value ends at the line end or the next label; a text ends only at the next label.
 */
const readColons = (filling: Filling): void => {
  const { page, slots } = filling
  const text = page.rest()
  const labels = findLabels(text, slots)
  for (const [at, { slot, from, to }] of labels.entries()) {
    const next = labels[at + 1]?.from ?? text.length
    const line = slot.kind === 'text' ? -1 : text.slice(to, next).search(slot.kind === 'list' ? /\n|;|[.!?](?=\s|$)/ : /\n|;/)
    const end = line < 0 ? next : to + line
    const said = exactText(page, { start: to, end })
    const first = said.split(/[,.](?!\d)/)[0] ?? ''
    const value =
      slot.kind === 'text'
        ? toText(said, next === text.length)
        : (convert(unquote(said.trim()), slot) ?? convert(unquote(first.trim()), slot))
    if (filling.give(slot, value)) page.take(from, end)
  }
}

const vague = new Set(
  splitWords('value text input data content query question description details type kind string what to from date time day'),
)
const quotedValue = String.raw`["“'‘]([^"”'’\n]{1,200})["”'’](?![\p{L}])`
const proper = String.raw`((?:\p{Lu}|\d)[\p{L}\p{M}\p{N}'’&.-]*(?: (?:(?:&|and(?! I(?!\p{L}))|of|de|the|for) )?(?:\p{Lu}[\p{L}\p{M}\p{N}'’&.-]*|\p{N}+)){0,5})`
const placeName = String.raw`(\p{Lu}[\p{L}\p{M}’'-]*(?: \p{Lu}[\p{L}\p{M}’'-]*){0,3})`
/** Matches a short title up to a word that begins a time, place or company. */
const shortTitle = String.raw`((?:\p{Lu}|\d)[\p{L}\p{M}\p{N}'’&.-]*(?: \p{Ll}[\p{L}'’-]*){1,3}?)(?=\s*(?:$|[\n:;,!?\uE000]|\.(?:\s|$)|(?<!\p{L})(?:saying|with|on|at|for|please|in|and|from|tomorrow|today|next)(?!\p{L})))`
const phrase = String.raw`([^\n:;,.!?\uE000"“]{1,80}?)(?=\s*(?:$|[\n:;,!?\uE000]|\.(?:\s|$)|(?<!\p{L})(?:and|saying|with|on|at|for|please|in)(?!\p{L})))`
const token = String.raw`((?:[A-Z]{1,3} )?[\p{L}\p{N}][\p{L}\p{N}_/.-]*[\p{L}\p{N}]|[A-Z\d](?![\p{L}\p{N}]))`
const naming = `(?:(?:is|be|are) )?(?:called|named|titled|entitled)|(?:call|name) it|(?:its|the|her|his|my|their) name is`

/** Patterns that match a value beside a word of its field's name. */
const patternsOf = (slot: Slot): RegExp[] => {
  const words = splitWords(slot.name).filter(it => it.length > 2)
  const label = words.findLast(it => !vague.has(it))
  const after = String.raw`(?:\s+(?:(?:is|was|are)(?: spelt| spelled| written)?|line|should be|will be|called|named|of|that is \p{L}+ is called))?:?\s+`
  const makes = (lead: string, values: string[]) =>
    values.map(value => new RegExp(String.raw`(?<![\p{L}\p{N}])(?i:${lead})\s*${value}`, 'u'))
  const isTitle =
    slot.kind === 'name' || /\b(?:called|title|name)\b/i.test(`${slot.name.replaceAll('_', ' ')} ${slot.description}`)
  const titles = slot.kind === 'name' ? [quotedValue, proper, phrase] : [quotedValue, shortTitle, proper, phrase]
  const led = isTitle ? makes(`(?:${naming})\\s`, titles) : []
  if (!label) return led
  const isCode = slot.kind === 'code'
  const live = [
    ...makes(`${label}${after}`, isCode ? [quotedValue, token] : [quotedValue]),
    ...(isCode ? makes(String.raw`${label}[^\n,.;]{0,40}?\b(?:is called|called|is)\s`, [token]) : []),
  ]
  const named = isCode
    ? []
    : [
        new RegExp(
          String.raw`(?<![\p{L}\p{N}])(?:${label}|${label.toUpperCase()}|${label.charAt(0).toUpperCase()}${label.slice(1)})${after}${slot.kind === 'place' ? placeName : proper}`,
          'u',
        ),
      ]
  const coded =
    slot.kind === 'text'
      ? makes(`${label}(?:\\s+(?:is|of|id|number|no\\.?|code))*:?\\s+`, [
          String.raw`((?=[\p{L}\p{N}_/.-]*\d)[\p{L}\p{N}][\p{L}\p{N}_/.-]*[\p{L}\p{N}_])(?!\p{L})`,
        ])
      : []
  const loose = /^(?:subject|title|heading|headline)$/.test(label) ? makes(`${label}${after}`, [phrase]) : []
  // A sentence about the place, as in "the city is lovely", names none.
  return slot.kind === 'place' ? named : [...live, ...loose, ...named, ...led, ...coded]
}

const shortened = /(?<!\p{L})(?:mr|mrs|ms|dr|st|mt|ft|no|jr|sr|inc|ltd|co|corp|vs)$/iu
/** A value ends with its sentence: "Ann Lee. Could you" names Ann Lee. An initial or an abbreviation ends none. */
const inSentence = (value: string): string => {
  const [, said = value, next = ''] = /^(.*?[\p{L}\p{N}])\.\s+(\p{Lu}[\p{L}'’]*)/u.exec(value) ?? []
  const isInitial = /(?<!\p{L})\p{Lu}$/u.test(said)
  return next === '' || shortened.test(said) || (isInitial && !isStopWord(next.toLowerCase())) ? value : said
}

const noValue = /^(?:is|are|the|an?|of|for|and|or|to|in|it|this|that|not|what|which|i|you|we)$/i

/** Reads values without punctuation after their label: "branch develop", "subject Dinner", "the meeting is called Roadmap". */
export const readNamed = (filling: Filling): void => {
  const { page } = filling
  for (const slot of filling.open().filter(it => isWords(it) || it.kind === 'code' || it.kind === 'place')) {
    for (const pattern of patternsOf(slot)) {
      const match = pattern.exec(page.rest())
      const value = inSentence(match?.[1] ?? '')
        .replace(/['’]s?$|[.,'’-]+$|\s+(?:instead|rather|please|pls|too|then|now)$/gi, '')
        .trim()
      if (!match || value === '' || noValue.test(value) || !filling.give(slot, value)) continue
      page.take(match.index, match.index + match[0].length)
      break
    }
  }
}

/** Reads values with an explicit label: pasted JSON and `name: value`. */
export const readMarked = (filling: Filling): void => {
  readPasted(filling)
  readColons(filling)
}
