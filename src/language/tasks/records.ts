import type { Json } from '../../domain/json.ts'
import { splitConnectors } from './connectors.ts'
import { isPartOfValue, masked, withoutOrdinals } from './maskedText.ts'
import { isRecognised } from './recognised.ts'
import { isScalar, type Rounds } from './rounds.ts'
import { toUnits, type Unit } from './units.ts'

// Reads several records of values from clauses: "the first tank is 60 cm long and 30 cm wide, the second one 80 cm long and 35 cm
// wide". A clause that gives an input another value begins the next record.

type Values = ReadonlyMap<string, Json>
type Clause = { unit: Unit; text: string; own: Values }
/** A record: the words from its first clause to its last one, and the values in them. */
type Row = { text: string; values: Values }

const maxRecords = 8
const ordinal = `(?:second|third|fourth|fifth|sixth|seventh|eighth|last|next|other|another)`
/** Words that begin another record, whatever it gives. */
const another = new RegExp(
  String.raw`^(?:(?:for|in|on|at|with|of|to|from|but|and|then|his|her|the|my|a)\s+)*${ordinal}(?!\p{L})`,
  'iu',
)
/** Words that may begin another record, besides those that join clauses. */
const marking =
  /^(?:(?:for|in|on|at|with|of|to|from|but|and)\s+)*(?:the )?(?:first|one|same|again|if|what|how|do|repeat|compare)(?!\p{L})/iu
const digits = /\d/

/** `listed`: what is no value of a clause alone, as it stands in a list or in quotes that the inputs of one call take. */
type Reading = Rounds & { listed: readonly Json[] }

const quoted = /(?<![\p{L}\p{N}])['"“‘][^'"”’\n]{1,80}['"”’](?![\p{L}\p{N}])/gu

const listedIn = (text: string, { slots, rounds: [whole] }: Rounds): Json[] => {
  const items = [...(whole?.values.values() ?? [])].filter(it => Array.isArray(it) && it.length > 1).flat()
  const quotes = (text.match(quoted) ?? []).map(it => it.slice(1, -1))
  return quotes.length <= slots.filter(it => it.type === 'string').length ? [...items, ...quotes] : items
}

/** The values of a text that have a form of their own. */
const telling = ({ slots, readPart, listed }: Reading, text: string): Map<string, Json> => {
  const round = readPart(withoutOrdinals(text))
  return new Map(
    slots.flatMap(slot => {
      const value = round.values.get(slot.name)
      const isList = Array.isArray(value) && text.includes('[')
      const isKnown = isList || (isScalar(value) && typeof value !== 'boolean' && isRecognised(slot, value, text))
      // An optional number in words is more often a remark than another record.
      const isSaid = slot.required || typeof value !== 'number' || digits.test(text)
      const isOwn = isSaid && isKnown && value !== undefined && round.typed.has(slot.name) && !listed.includes(value)
      return isOwn ? [[slot.name, value] as const] : []
    }),
  )
}

/** A value of another input begins no record: words that are optional may be said twice, and a unit is said with each value. */
const isDeciding = ({ slots }: Rounds, name: string): boolean =>
  slots.some(it => it.name === name && it.kind !== 'unit' && (it.required || it.kind === 'number'))

const isSame = (a: Json | undefined, b: Json | undefined) => JSON.stringify(a) === JSON.stringify(b)
const keeps = (all: Values, some: Values): boolean => [...some].every(([name, it]) => isSame(all.get(name), it))
const holds = (all: Values, some: Values): boolean =>
  [...some.values()].every(it => [...all.values()].some(one => isSame(one, it)))

/** Clauses of a text. "Paris, France" and "May 1, 2027" are one value. */
const clausesOf = (text: string, rounds: Reading): Clause[] => {
  const units: Unit[] = []
  for (const unit of toUnits(text)) {
    const last = units.at(-1)
    if (last && unit.joint === ',' && isPartOfValue(unit.text)) units[units.length - 1] = { ...last, to: unit.to }
    else units.push(unit)
  }
  const clauses: Clause[] = []
  for (const unit of units) {
    const said = text.slice(unit.from, unit.to)
    const own = telling(rounds, inPlaceOf(said, clauses.at(-1)?.text ?? ''))
    clauses.push({ unit: { ...unit, text: said }, text: said, own })
  }
  return clauses
}

const bare = /^\s*(?:(?:and|then|&)\s+)?[$€£]?(-?\d[\d.,]*\d|\d)\s*(?:%|\p{L}{1,12})?[.?!]?\s*$/iu
const lastNumber = /\d(?:[\d.,]*\d)?(?=\D*$)/
/** A clause that is a number alone says what the one before says, with that number: "for 3 days, 5 and 8". */
const inPlaceOf = (clause: string, before: string): string => {
  const [, number = ''] = bare.exec(clause) ?? []
  return number !== '' && lastNumber.test(before) ? before.replace(lastNumber, number) : clause
}

const isJoined = ({ joint }: Unit) => joint !== '.' && joint !== 'line'
/** Whether a clause may begin another record: it is joined to the one before, says so, or gives all that the first record has. */
const mayBegin = (unit: Unit, own: Values, first: Values): boolean => {
  if (isJoined(unit)) return true
  const { lead, rest } = splitConnectors(unit.text)
  const isAll = first.size > 1 && [...first.keys()].every(it => own.has(it))
  return lead !== '' || marking.test(rest) || another.test(rest) || isAll
}

const spoken = ['text', 'topic', 'manner', 'name', 'place', 'list', 'object', 'boolean']

/** The records in the order of their clauses; none where the last of two values is only another choice. */
const inOrder = (clauses: readonly Clause[], rounds: Reading): Row[] => {
  const required = rounds.slots.filter(it => it.required)
  const rows: { text: string; values: Map<string, Json> }[] = []
  let [open, values] = ['', new Map<string, Json>()]
  for (const { unit, text, own } of clauses) {
    const joined = telling(rounds, open === '' ? text : `${open}, ${text}`)
    const isMore = keeps(joined, values) && holds(joined, own) && joined.size > values.size
    const isOther = [...own].some(([name, it]) => values.has(name) && !isSame(values.get(name), it) && isDeciding(rounds, name))
    const isWhole = values.size > 0 && required.every(it => values.has(it.name) || spoken.includes(it.kind))
    const isUnread = own.size === 0 && digits.test(text) && isWhole
    const isNext = another.test(splitConnectors(text).rest) && values.size > 0 && digits.test(text)
    if (isNext || (!isMore && (isOther || isUnread) && mayBegin(unit, own, rows[0]?.values ?? values))) {
      if (/^or(?!\p{L})/iu.test(unit.text)) return []
      rows.push({ text: open, values })
      open = text
      values = new Map(own)
      continue
    }
    open = open === '' ? text : `${open}, ${text}`
    values = isMore ? joined : new Map([...values, ...[...own].filter(([name]) => !values.has(name))])
  }
  rows.push({ text: open, values })
  return rows.filter(it => it.values.size > 0)
}

/** The records where each has a value of its own, and what it lacks comes from those before or after it. */
const completed = (all: readonly Row[], { slots }: Rounds): Row[] => {
  if (all.length < 2 || all.length > maxRecords) return []
  const keys = new Set(all.flatMap(({ values }) => [...values.keys()]))
  // Names alone may stand in any sentence; a list of them is read elsewhere. "At 7:30 to X and at 9 to Y" are two.
  const isTime = slots.some(it => keys.has(it.name) && (it.kind === 'time' || it.kind === 'date'))
  if (keys.size === 1 && !isTime && all.some(({ values }) => [...values.values()].some(it => typeof it === 'string'))) return []
  const filled = all.map(({ text, values }, at) => {
    const near = [...all.slice(0, at).reverse(), ...all.slice(at + 1)]
    const own = [...keys].flatMap(name => {
      const value = values.get(name) ?? near.find(it => it.values.has(name))?.values.get(name)
      return value === undefined ? [] : [[name, value] as const]
    })
    return { text, values: new Map(own) }
  })
  const isWhole = ({ values }: Row) => slots.every(it => !it.required || values.has(it.name) || spoken.includes(it.kind))
  const distinct = new Set(filled.map(({ values }) => JSON.stringify([...values].sort())))
  return distinct.size === filled.length && filled.every(isWhole) ? filled : []
}

/** Whether one input holds all that the clauses give. */
const isOne = (clauses: readonly Clause[], { rounds: [whole] }: Rounds): boolean => {
  const values = whole ? [...whole.values.values()] : []
  const held = new Set([...values, ...values.flat()].map(it => JSON.stringify(it)))
  return clauses.every(({ own }) => [...own.values()].every(it => held.has(JSON.stringify(it))))
}

/**
 * The records of a text in order; none where nothing is given twice.
 * @param name of the offering, which is no value either
 */
export const readRecords = (text: string, rounds: Rounds, name: string): Row[] => {
  const reading = { ...rounds, listed: listedIn(text, rounds) }
  const clauses = clausesOf(masked(text, name), reading)
  if (isOne(clauses, reading)) return []
  return completed(inOrder(clauses, reading), reading)
}
