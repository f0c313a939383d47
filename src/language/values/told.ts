import { isWholeText, isWords, type Slot } from '../fields/fields.ts'
import type { Filling } from '../fields/filling.ts'
import { stem } from '../words/stem.ts'
import { isDeed, isEmpty } from '../words/vocabulary.ts'
import { splitWords } from '../words/words.ts'

// Reads clauses that say what a field is, by a word of its description: "our dog is a border collie" for the breed of the dog.

const clause =
  /(?<=^|[,.;:!?\n(\uE000]\s{0,2}|\b(?:and|but|so|because) )(?:(?:and|but|so|the|my|our|their|his|her|this|that)\s+)*(?<label>[\p{L}'’-]+(?: [\p{L}'’-]+)?)(?:\s+(?:is|are|was|were|will be|should be|must be)|['’]s)\s+(?:for |called |about |to be )?(?:(?:an?|the|my|our|some) )?(?<value>[^\n:;,.!?\uE000"“()]{2,80}?)(?=\s*(?:$|[\n:;,!?\uE000()]|\.(?:\s|$)|(?<!\p{L})(?:and|but|with|on|at|please|because|so)(?!\p{L})))/giu

/** The only field that a word tells apart from the others. */
const fieldOf = (slots: readonly Slot[], label: string): Slot | undefined => {
  const words = splitWords(label).filter(it => !isEmpty(it) && !isDeed(it))
  const found = words.length === 0 ? [] : slots.filter(it => words.every(word => it.terms.includes(stem(word))))
  return found.length === 1 ? found[0] : undefined
}

/** A field for what something is for, which is said as "the money is for hand bikes". */
const isPurpose = ({ name, description }: Slot) => /\b(?:purpose|what .{0,40}\bfor\b)/i.test(`${name} ${description}`)

/** What is no value: a state, a comment or a place of the thing. */
const noValue =
  /^(?:not|no|in|on|at|very|too|so|all|here|there|that|what|how|why|fine|ok(?:ay)?|up|out|still|already|quite|just|really|\p{L}+ing)(?!\p{L})/iu

/** Fills word fields by clauses about what they describe. */
export const readTold = (filling: Filling): void => {
  const { page } = filling
  for (const match of page.rest().matchAll(clause)) {
    const { label = '', value = '' } = match.groups ?? {}
    const open = filling.open().filter(it => isWords(it) && !isWholeText(it))
    const purposes = /\s(?:is|are)\s+for\s/i.test(match[0]) ? open.filter(isPurpose) : []
    const slot = noValue.test(value) ? undefined : (fieldOf(open, label) ?? (purposes.length === 1 ? purposes[0] : undefined))
    if (slot && filling.give(slot, value.trim())) page.take(match.index, match.index + match[0].length)
  }
}
