import type { Json, JsonObject } from '../../domain/json.ts'
import type { Slot } from '../fields/fields.ts'
import { mentionsIn } from '../values/choices.ts'

// A change of a known list: "add organic matter, drop nitrogen", "without the onions".

const verbs: [sign: 'add' | 'drop', words: string][] = [
  ['add', 'add|include|also|plus|put in'],
  ['drop', 'drop|remove|delete|skip|leave out|take out|leave off|minus|without'],
]
const verb = new RegExp(`(?<!\\p{L})(?:${verbs.map(([sign, words]) => `(?<${sign}>${words})`).join('|')})(?!\\p{L})`, 'giu')

/** The parts of a message by what they do with a list. */
const partsOf = (said: string): { sign: 'add' | 'drop'; text: string }[] => {
  const all = [...said.matchAll(verb)]
  return all.map(({ 0: { length }, index, groups }, at) => ({
    sign: groups?.drop ? 'drop' : 'add',
    text: said.slice(index + length, all[at + 1]?.index ?? said.length),
  }))
}

const hasWords = (text: string, item: Json): boolean => text.toLowerCase().includes(String(item).toLowerCase())

/** The only known list that a message changes, and its new items. Something is dropped, or added to a list of fixed items. */
export const editList = (slots: readonly Slot[], known: JsonObject, said: string): [Slot, Json][] => {
  const parts = partsOf(said)
  const found = slots.flatMap((slot): [Slot, Json][] => {
    const before = known[slot.name]
    if (slot.kind !== 'list' || !Array.isArray(before) || parts.length === 0) return []
    const dropped = before.filter(it => parts.some(({ sign, text }) => sign === 'drop' && hasWords(text, it)))
    const added = parts.flatMap(({ sign, text }) =>
      sign === 'add' ? mentionsIn(text, { ...slot, allowed: slot.allowedItems }).map(it => it.value) : [],
    )
    const items = [...new Set([...before.filter(it => !dropped.includes(it)), ...added])]
    return dropped.length + added.length > 0 && slot.fits(items) ? [[slot, items]] : []
  })
  return found.length === 1 ? found : []
}
