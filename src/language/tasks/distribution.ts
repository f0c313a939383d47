import type { Json } from '../../domain/json.ts'
import type { Slot } from '../fields/fields.ts'
import { findQuotations } from '../text/quotations.ts'
import { toTerms } from '../words/words.ts'
import { findCoordinations, type Part, withMember } from './coordinations.ts'
import { areItems, isNaming, isRecognised } from './recognised.ts'
import { isScalar, type Round, type Rounds } from './rounds.ts'

// Distributes a text over the members of its coordinations. The schema decides: members of one list, or of two fields, are one
// call.

/** The text of one call and the values in it. */
type Share = { text: string; round: Round }

const sizeOf = (value: Json | undefined) => (Array.isArray(value) ? value.length : 1)
const plain = (text: string) => text.toLowerCase()
const toKey = (value: Json | undefined) => JSON.stringify(value)
const pairs = /(?<!\p{L})(?:respectively(?!\p{L})|the second(?!\p{L}).*the second(?!\p{L}))/isu

const lead = /^(?:(?:in|at|for|of|to|from|on|with|by|about|both|the|my|our|an?|another|one)\s+)*/i
const lastWord = /\s(\p{Ll}+)$/u
/** The value of a member without what leads to it, the noun of the offering behind it, and the quotation marks around it. */
const bare = (member: string, isName: Rounds['isName']): string => {
  const said = member.replace(lead, '').replace(lastWord, (whole, word: string) => (isName(word) ? '' : whole))
  const [quote] = findQuotations(said)
  return quote?.from === 0 && quote.to === said.length ? said.slice(quote.start, quote.end) : said
}

const numbersIn = (text: string) => (text.match(/\d[\d,]*(?:\.\d+)?/g) ?? []).map(it => Number(it.replaceAll(',', '')))
/** Whether a member says a value; a form such as a date may be written otherwise. */
const says = (member: string, value: Json): boolean =>
  typeof value !== 'number' || numbersIn(member).some(it => it === Math.abs(value) || it === value * 100)

/** Whether an input has a value of each member, and one that stands for itself. */
const isTold = (slot: Slot, shares: readonly Share[], { said, text }: { said: readonly string[]; text: string }): boolean => {
  const values = shares.flatMap(it => it.round.values.get(slot.name) ?? [])
  const isEach = values.length === shares.length && new Set(values.map(toKey)).size === values.length
  if (!isEach || values.some((it, at) => !isScalar(it) || typeof it === 'boolean' || !says(said[at] ?? '', it))) return false
  const isForm = shares.every(
    ({ round, text: own }) => round.typed.has(slot.name) && isRecognised(slot, round.values.get(slot.name), own),
  )
  return isForm || (isNaming(slot) && areItems(slot, values.map(String), text))
}

/** Whether each member says the value of an input itself. Beside an input that is told, this is another one of the same record. */
const isNamed = ({ name, required }: Slot, shares: readonly Share[], members: readonly string[]): boolean =>
  required &&
  shares.every(({ round }, at) => {
    const value = round.values.get(name)
    return typeof value === 'string' && value !== '' && members[at]?.includes(value) === true
  })

type Named = { whole: Round; members: readonly string[]; text: string; isPaired: boolean }
/** The only input that takes a name for which no reader took a member alone. In lists side by side any words are values. */
const unreadOf = ({ slots }: Rounds, { whole, members, text, isPaired }: Named): Slot | undefined => {
  if (members.some(it => clause.test(it))) return undefined
  const open = slots.filter(it => {
    const value = whole.values.get(it.name)
    const isPart = typeof value === 'string' && members.some(one => value.includes(one) || one.includes(value))
    const isOpen = isPart || (value === undefined && it.required)
    const areValues = isPaired ? !members.some(one => /^\d/.test(one)) : areItems(it, members, text)
    return isOpen && it.role === undefined && isNaming(it) && members.every(one => it.fits(one)) && areValues
  })
  return open.length === 1 ? open[0] : undefined
}

type Group = readonly Part[]
const textOf = (text: string, part: Part | undefined) => text.slice(part?.from, part?.to)

/** Whether an input that the whole text gives is that of each member, too. */
const isShared = ({ name }: Slot, whole: Round, shares: readonly Share[]): boolean => {
  const value = whole.values.get(name)
  const own = shares.map(it => it.round.values.get(name))
  return own.every(it => it !== undefined && (isScalar(value) ? toKey(it) === toKey(value) : sizeOf(it) >= sizeOf(value)))
}

const clause = /\s(?:for|from|on|at|in|with|by|to)\s/i
/** What each member says in the place of all, where no reader takes a name by itself. */
const read = (from: Rounds, { text, round: whole }: Share, groups: readonly Group[]) => {
  const shares = (groups[0] ?? []).map((_, at): Share => {
    const own = groups.reduceRight((left, one) => withMember(left, one, at), text)
    return { text: own, round: from.readWhole(own) }
  })
  const unread = groups.flatMap(group => {
    const members = group.map(it => bare(textOf(text, it), from.isName))
    const open = unreadOf(from, { whole, members, text, isPaired: groups.length > 1 })
    if (!open || (whole.values.has(open.name) && isShared(open, whole, shares))) return []
    // A member that another input takes alone is no value of this one.
    const isTaken = shares.every(({ round }, at) =>
      [...round.values].some(([name, it]) => name !== open.name && it === members[at]),
    )
    return isTaken ? [] : [{ slot: open, members }]
  })
  const named = shares.map(({ text: own, round }, at): Share => {
    const values = unread.map(({ slot, members }) => [slot.name, members[at] ?? ''] as const)
    return { text: own, round: { ...round, values: new Map([...round.values, ...values]) } }
  })
  return { shares: named, unread: unread.map(it => it.slot) }
}

/** Whether only some members say the value of an optional input: "a soup and a vegan salad". */
const isOfSome = ({ name, required }: Slot, shares: readonly Share[], members: readonly string[]): boolean => {
  const given = shares.map(it => it.round.values.get(name))
  const isSaid = (it: Json | undefined, at: number) => it === undefined || plain(members[at] ?? '').includes(plain(String(it)))
  return !required && given.some(it => it !== undefined) && given.every(isSaid)
}

/** Whether members name different inputs: "an amplitude of 1.5 and a phase of 0.5". */
const nameOthers = ({ slots }: Rounds, members: readonly string[]): boolean => {
  const named = members.map(it => {
    const words = new Set(toTerms(it))
    return slots.find(({ path }) => toTerms(path.at(-1) ?? '').every(term => words.has(term)))
  })
  return named.every(it => it !== undefined) && new Set(named).size === members.length
}

/** Whether each member has a field of its own, such as the two parties of a contract: one call takes all of them. */
const havePlaces = ({ slots }: Rounds, { kind }: Slot, shares: readonly Share[]): boolean => {
  const places = slots.filter(it => it.required && it.kind === kind)
  return places.length >= shares.length && places.some(it => shares.some(one => !one.round.values.has(it.name)))
}

const onwards = /(?<!\p{L})(?:then|on|onwards?|finally|from there)(?!\p{L})/iu
/** The input at which each leg of a journey starts where the last one ended: "from Berlin to Hamburg and then to Kiel". */
const startOf = ({ slots }: Rounds, { role, kind }: Slot, { text, members }: { text: string; members: Group }) => {
  const isOnwards = members.every((it, at) => at === 0 || onwards.test(text.slice(members[at - 1]?.to, it.from)))
  return role === 'to' && isOnwards ? slots.find(it => it.role === 'from' && it.kind === kind) : undefined
}

/** The text once for each member, where each gives what the whole one gives, and another value of the same inputs. */
const share = (from: Rounds, of: Share, groups: readonly Group[]): Share[] => {
  const { text, round: whole } = of
  const { shares, unread } = read(from, of, groups)
  const said = shares.map((_, at) => groups.map(one => textOf(text, one[at])).join(' '))
  const sure = from.slots.filter(it => unread.includes(it) || isTold(it, shares, { said, text }))
  const told = sure.length === 0 ? [] : from.slots.filter(it => sure.includes(it) || isNamed(it, shares, said))
  const [first, ...others] = told
  if (!first || (others.length === 0 && havePlaces(from, first, shares)) || nameOthers(from, said)) return []
  const shared = from.slots.filter(it => !told.includes(it) && whole.values.has(it.name) && isShared(it, whole, shares))
  const isKept = ({ name }: Slot) => !whole.values.has(name) || [...told, ...shared].some(it => it.name === name)
  if (!from.slots.every(it => isKept(it) || isOfSome(it, shares, said))) return []
  const common = [...whole.values].filter(([name]) => shared.some(it => it.name === name))
  const start = others.length === 0 ? startOf(from, first, { text, members: groups[0] ?? [] }) : undefined
  return shares.map((it, at) => {
    const own = [...it.round.values].filter(([name]) => told.some(one => one.name === name))
    const leg = new Map([...it.round.values, ...common, ...own])
    const begin = start && shares[at - 1]?.round.values.get(first.name)
    const said = String(start && leg.get(start.name))
    if (!start || begin === undefined) return { text: it.text, round: { ...it.round, values: leg } }
    return { text: it.text.replace(said, () => String(begin)), round: { ...it.round, values: leg.set(start.name, begin) } }
  })
}

const endOf = (group: readonly Part[]) => group.at(-1)?.to ?? 0
/** The coordinations with as many members as the first one, apart from each other, in the order of the text. */
const sideBySide = ([first, ...more]: readonly Part[][]): Part[][] => {
  const apart: Part[][] = first ? [first] : []
  for (const it of more) {
    const isApart = apart.every(one => endOf(it) <= (one[0]?.from ?? 0) || (it[0]?.from ?? 0) >= endOf(one))
    if (it.length === first?.length && isApart) apart.push(it)
  }
  return apart.sort((a, b) => endOf(a) - endOf(b))
}

/** The calls of a text by its coordinations; the text itself where it has none that an offering takes one by one. */
export const distribute = (from: Rounds, of: Share): Share[] => {
  const found = findCoordinations(of.text)
  const paired = pairs.test(of.text) ? found.map((_, at) => sideBySide(found.slice(at))).filter(it => it.length > 1) : []
  for (const groups of [...paired, ...found.map(it => [it])]) {
    const shares = share(from, of, groups)
    if (from.isSpent()) return [of]
    if (shares.length > 1) return shares.flatMap(it => distribute(from, it))
  }
  return [of]
}
