import type { Slot } from '../fields/fields.ts'
import type { Filling } from '../fields/filling.ts'
import { loosePostcodes, postcodes } from '../forms/postcodes.ts'
import { splitWords } from '../words/words.ts'
import { findAddresses } from './addresses.ts'

// Gives the parts of one postal address to the fields that ask for them apart: street, postcode, town and name.

type Parts = Partial<Record<'street' | 'postcode' | 'town', string>>

/** The parts of a whole address. The street ends at the first comma, or before the postcode. */
const partsOf = (address: string): Parts => {
  const codes = [...postcodes.find(address), ...loosePostcodes.find(address)]
  const code = codes.find(it => it.from > 0 && /[\p{L}\p{N}][,\s]+$/u.test(address.slice(0, it.from)) && it.to - it.from > 3)
  const comma = address.indexOf(',')
  const streetTo = comma > 0 && (!code || comma < code.from) ? comma : (code?.from ?? comma)
  if (streetTo <= 0) return {}
  const rest = code ? `${address.slice(streetTo, code.from)},${address.slice(code.to)}` : address.slice(streetTo)
  const town = rest
    .split(',')
    .map(it => it.trim())
    .findLast(it => /^\p{L}[\p{L}\p{M} .'’-]*$/u.test(it) && !/^[A-Z]{2}$/.test(it))
  const street = address.slice(0, streetTo).replace(/[\s,]+$/, '')
  return { street, ...(code && { postcode: code.values[0] ?? '' }), ...(town && { town }) }
}

const roles: [part: keyof Parts, words: RegExp][] = [
  ['street', /\b(?:street|address|line ?1)\b/],
  ['postcode', /\b(?:post ?code|zip|zip ?code|postal)\b/],
  ['town', /\b(?:city|town|place)\b/],
]
const roleOf = ({ path }: Slot) => {
  const name = splitWords(path.at(-1) ?? '').join(' ')
  return roles.find(([, words]) => words.test(name))?.[0]
}

const lead =
  /(?:^|\s)(?:to|for|c\/o)\s+(?:the )?(\p{Lu}[\p{L}\p{M}\p{N}'’&.-]*(?: (?:\p{Lu}|[a-z&]{1,3} \p{Lu})[\p{L}\p{M}\p{N}'’&.-]*){0,5}),?\s*(?:at |in )?$/u
/** Gives the name that stands directly before an address. */
const giveName = (filling: Filling, at: number, group: readonly Slot[]): void => {
  const name = group.find(it => it.kind === 'name' && it.path.length > 1)
  const before = filling.page.rest().slice(0, at)
  const [, said] = name ? (lead.exec(before) ?? []) : []
  if (!name || !said || !filling.give(name, said)) return
  const from = before.lastIndexOf(said)
  filling.page.take(from, from + said.length)
}

/** Fills the fields of an address that stand together in one object of the requirement. */
export const readAddressParts = (filling: Filling): void => {
  const { page } = filling
  const groups = Map.groupBy(filling.open(), it => it.path.slice(0, -1).join('.'))
  for (const group of groups.values()) {
    const fields = new Map(group.flatMap(it => (it.type === 'string' && roleOf(it) ? [[roleOf(it), it] as const] : [])))
    if (!fields.has('street') || fields.size < 2) continue
    const [found] = findAddresses(page.rest())
    const parts = found ? partsOf(page.whole.slice(found.from, found.to)) : {}
    if (!found || !parts.street || Object.keys(parts).length < 2) continue
    giveName(filling, found.from, group)
    const given = Object.entries(parts).filter(([part, text]) => {
      const field = fields.get(part as keyof Parts)
      return field !== undefined && filling.give(field, text)
    })
    if (given.length > 0) page.take(found.from, found.to)
  }
}
