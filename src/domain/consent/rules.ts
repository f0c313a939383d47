import { chinese } from './languages/chinese.ts'
import { english } from './languages/english.ts'
import { everywhere } from './languages/everywhere.ts'
import { french } from './languages/french.ts'
import { german } from './languages/german.ts'
import { italian } from './languages/italian.ts'
import { japanese } from './languages/japanese.ts'
import { arabic, dutch, hindi, korean, polish, swedish } from './languages/others.ts'
import { portuguese } from './languages/portuguese.ts'
import { russian } from './languages/russian.ts'
import { spanish } from './languages/spanish.ts'
import { turkish } from './languages/turkish.ts'
import { type Grammar, type Role, toGrammar } from './phrases.ts'

/** A phrase of a message, or a name or figure of the open offer. */
export type Unit = { role: Role | 'name' | 'part' | 'total' | 'digest'; key: string }

const own = ['name', 'total', 'digest'] as const
/** What may stand beside an agreement that is neither a yes nor an order. */
const besideWeak = ['sure', 'fair', 'work', 'please', 'leading', 'closing', 'part', ...own] as const
const besideYes = ['yes', 'order', 'naming', 'aside', 'thanks', 'and', 'well', ...besideWeak] as const
const inNo = ['no', 'cancel', 'please', 'thanks', 'and', 'well'] as const
/** More weak agreements in a row are impatience: "yeah, sure, fine". */
const maxWeak = 2

const isOneOf = (roles: readonly Unit['role'][], it: Unit | undefined) => it !== undefined && roles.includes(it.role)

/**
 * Whether each word stands where it belongs: "for" before a name or figure, "and" between two phrases, "well" at the beginning.
 */
const isInPlace = (it: Unit, at: number, units: readonly Unit[]): boolean => {
  const [before, after] = [units[at - 1], units[at + 1]]
  if (it.role === 'naming') return isOneOf(['name'], after)
  // "Yes to the hotel" names a "Hotel search".
  if (it.role === 'part') return isOneOf(['part'], before) || (before?.role === 'leading' && before.key === 'to the')
  if (it.role === 'leading') return isOneOf([...own, 'part'], after)
  if (it.role === 'closing') return isOneOf(['total'], before)
  if (it.role === 'and')
    return before !== undefined && isOneOf(['yes', 'order', 'thanks', 'please', 'naming', 'work', 'no', 'cancel'], after)
  // Work that is named first may be what the rest is given to.
  if (it.role === 'work') return before !== undefined
  return it.role !== 'well' || at === 0
}

/** Whether all agreeing phrases of an answer are one phrase again and again, such as "ja ja". */
const isRepeated = (agreeing: readonly Unit[], { repeated }: Grammar): boolean =>
  agreeing.length > 1 && agreeing.every(it => it.key === agreeing[0]?.key && !repeated.has(it.key))

export const isYes = (units: readonly Unit[], grammar: Grammar): boolean => {
  const of = (...roles: Unit['role'][]) => units.filter(it => roles.includes(it.role))
  const weak = of('sure', 'fair')
  // The work that is named agrees beside another agreement: "ok, find out".
  const isOrdered = of('order', 'naming').length > 0 || (of('work').length > 0 && weak.length > 0)
  const isStrong = isOrdered || of('yes').length > 0
  if (!isStrong && (weak.length === 0 || weak.length > maxWeak)) return false
  if (!units.every(it => isOneOf(isStrong ? besideYes : besideWeak, it))) return false
  if (!units.every((it, at) => isInPlace(it, at, units))) return false
  if (of('well').length > 0 && of('yes').length === 0) return false
  return !isRepeated(of('yes', 'order', 'sure', 'fair'), grammar)
}

/**
 * Whether a message read as these phrases says nothing beside its agreements and courtesies. Work and conditions may say more.
 */
export const isIdle = (units: readonly Unit[]): boolean => !units.some(it => isOneOf(['condition', 'work'], it))

const beforeNo: readonly Unit['role'][] = ['well', 'fair', 'sure', 'aside', 'please', 'thanks', 'and', 'condition']

/** Whether such phrases, and nothing else, may stand before a refusal: "ok, then no", "sorry, no". */
export const mayPrecedeNo = (units: readonly Unit[]): boolean => units.every(it => isOneOf(beforeNo, it))

/** Whether a message read as these phrases declines or cancels. Both in one message may mean the opposite: "no cancele". */
export const isNo = (units: readonly Unit[]): boolean =>
  units.some(it => it.role === 'no') !== units.some(it => it.role === 'cancel') &&
  units.every(it => isOneOf(inNo, it)) &&
  units.every((it, at) => isInPlace(it, at, units))

const tables = {
  english,
  german,
  spanish,
  french,
  portuguese,
  italian,
  turkish,
  chinese,
  japanese,
  russian,
  polish,
  dutch,
  swedish,
  korean,
  arabic,
  hindi,
}

let compiled: readonly Grammar[] | undefined

/**
 * One closed grammar for each language, compiled at first use. A message is read in one language at a time, because the same
 * letters mean something else in another one.
 */
export const grammars = (): readonly Grammar[] => {
  compiled ??= Object.values(tables).map(it => toGrammar(it, everywhere))
  return compiled
}
