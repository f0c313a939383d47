import { isDeed } from '../words/vocabulary.ts'
import { splitConnectors } from './connectors.ts'
import type { Unit } from './units.ts'

// What a unit looks like: how it is joined, its first words and their kinds, and the unit before it.

const kinds: [string, RegExp][] = [
  ['number', /^(?:[#\d]|(?:two|three|four|five|six|seven|eight|nine|ten|twelve|twenty)$)/],
  ['quote', /^["'“‘«„`]/],
  ['me', /^(?:i|i'm|i'd|i've|i'll|we|we're|we'd|we've)$/],
  ['you', /^(?:can|could|would|will|please|kindly|may)$/],
  ['ask', /^(?:what|what's|which|who|who's|where|where's|when|how|how's|why|is|are|do|does|did|was|were)$/],
  ['article', /^(?:the|a|an|my|our|your|his|her|their|its|another|some|any|all|each|this|these|those)$/],
  ['it', /^(?:it|it's|that|them|they|he|she|him|both|there|you|me|us)$/],
  ['place', /^(?:in|on|at|for|from|to|of|with|without|by|about|into|using|between|under|over|until|per|as|like)$/],
  ['if', /^(?:if|because|since|so|which|who|whose|that|where|when|while|not|no|only|but|or|than)$/],
]

/** The examples have few words, so each is compared with the verbs of requests once. At most so many are kept. */
const maxKnown = 5_000
const deeds = new Map<string, boolean>()
const isKnownDeed = (word: string): boolean => {
  const known = deeds.get(word)
  if (known !== undefined) return known
  const found = isDeed(word)
  if (deeds.size < maxKnown) deeds.set(word, found)
  return found
}

const kindOf = (word: string, raw: string): string => {
  const lower = word.toLowerCase().replaceAll('’', "'")
  const found = kinds.find(([, pattern]) => pattern.test(lower))?.[0]
  if (found) return found
  if (isKnownDeed(lower)) return 'deed'
  if (/ing$/.test(lower)) return 'ing'
  if (/ed$/.test(lower)) return 'ed'
  return /^\p{Lu}/u.test(raw) ? 'name' : 'word'
}

const wordPattern = /["'“‘«„`](?=\p{L})|[\p{L}\p{M}]+(?:['’]\p{L}+)?|\d[\d.,:/-]*/gu
const toWord = (raw: string) => (/^\d/.test(raw) ? '#' : raw.toLowerCase().replaceAll('’', "'"))

const sizeOf = (count: number) => (count < 4 ? String(count) : count < 6 ? '4' : count < 9 ? '6' : count < 15 ? '9' : '15')

/** What the features of a unit need of it. */
export type Seen = { unit: Unit; lead: string; words: string[]; kinds: string[]; isAsked: boolean }

/** Reads a unit into words and their kinds, without its connectors. */
export const see = (unit: Unit): Seen => {
  const { lead, rest } = splitConnectors(unit.text)
  const raw = rest.match(wordPattern) ?? []
  const words = raw.map(toWord)
  return { unit, lead, words, kinds: words.map((it, at) => kindOf(it, raw[at] ?? '')), isAsked: /\?\s*$/.test(unit.text) }
}

const bagWords = 14

/**
 * The features of the unit at a place.
 * @param before the label of the unit before it; empty for the first
 */
export const toFeatures = (all: readonly Seen[], at: number, before: string): string[] => {
  const it = all[at]
  if (!it) return []
  const { unit, lead, words, kinds: own } = it
  const previous = all[at - 1]
  const next = all[at + 1]
  const joint = `${unit.joint}${unit.isAfterColon ? ' content' : ''}`
  const [a = '', b = '', c = ''] = words
  const [ka = '', kb = '', kc = ''] = own
  const starts = all.filter((_, place) => place < at).map(one => one.words[0])
  const hasDeed = own.includes('deed') || own.includes('me') || own.includes('you')
  return [
    'bias',
    `joint ${joint}`,
    `before ${before}`,
    `joint ${joint} before ${before}`,
    `lead ${lead}`,
    `lead ${lead} ${ka}`,
    `lead ${lead.split(' ').at(-1)}`,
    `joint ${joint} lead ${lead}`,
    `a ${a}`,
    `joint ${joint} a ${a}`,
    `ab ${a} ${b}`,
    `abc ${a} ${b} ${c}`,
    `ka ${ka}`,
    `joint ${joint} ka ${ka}`,
    `kab ${ka} ${kb}`,
    `joint ${joint} kab ${ka} ${kb}`,
    `kabc ${ka} ${kb} ${kc}`,
    `akb ${a} ${kb}`,
    `size ${sizeOf(words.length)}`,
    `joint ${joint} size ${sizeOf(words.length)}`,
    `ka ${ka} size ${sizeOf(words.length)}`,
    `asked ${it.isAsked}`,
    `joint ${joint} asked ${it.isAsked}`,
    `deed ${hasDeed}`,
    `joint ${joint} deed ${hasDeed}`,
    `place ${at === 0 ? 'first' : next ? 'inside' : 'last'}`,
    `first ${at === 0} kab ${ka} ${kb}`,
    `again ${starts.includes(words[0])} ${ka}`,
    `against ${previous?.kinds[0]} ${ka}`,
    `after ${previous?.words[0]} ${ka}`,
    `was asked ${previous?.isAsked} ${ka}`,
    `next ${next?.unit.joint} ${next?.kinds[0]}`,
    ...(lead === '' ? [] : [`led ${ka}`, `led ${kab(ka, kb)}`]),
    ...new Set(words.slice(0, bagWords).map(word => `w ${word}`)),
    ...new Set(words.slice(0, bagWords - 1).map((word, place) => `p ${word} ${words[place + 1] ?? ''}`)),
  ]
}

const kab = (a: string, b: string) => `${a} ${b}`
