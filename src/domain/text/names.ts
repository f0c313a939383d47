import { Problem } from '../problem.ts'

/** Emoji sequences as people send them, with their joiners and selectors (UTS #51). */
const emoji = /\p{RGI_Emoji}/gv
/** Joiners that change the form of letters in Arabic and Indic scripts, and variants of ideographs, which names need. */
const shaping = /(?<=[\p{L}\p{M}])[\u200c\u200d](?=\p{L})|(?<=\p{Script=Han})[\u{e0100}-\u{e01ef}]/gu
/** Scripts in which a joiner between letters is visible. */
const scripts =
  'Arabic Syriac Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Han'
const joined = new RegExp(
  `[${scripts
    .split(' ')
    .map(it => `\\p{Script=${it}}`)
    .join('')}]`,
  'u',
)

/** Control characters (also of terminals), direction marks, zero-width and unassigned characters, line ends, blank letters. */
const hidden = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u
/** More than four marks on a letter, or one mark twice (UTS #39, section 5.4). */
const stacked = /[\p{Mn}\p{Me}]{5}|([\p{Mn}\p{Me}])\1|^\p{M}/u
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u
/** The tag of a hire, the id of an agent, and the prefix of a handle. A name with one could be taken for another agent. */
const reference = /##|\bagent\s*id\s*[:=#]|\d+\s*:\s*0x[0-9a-f]{40}|\berc8004\s*:/i

/**
 * Why a text is no name that buyers can be shown; undefined for a good one. Names of all scripts and emoji are good. An empty
 * text is good too, as a name may be absent.
 */
export const nameFault = (text: string): string | undefined => {
  if (text === '') return undefined
  const plain = text.replace(emoji, '*')
  if (hidden.test(joined.test(plain) ? plain.replace(shaping, '') : plain))
    return 'contains a character that is invisible, ends a line, or turns the direction of the text'
  if (stacked.test(text.replace(emoji, '*').normalize('NFD'))) return 'has too many marks on a letter'
  if (!visible.test(plain)) return 'shows nothing'
  if (reference.test(text.normalize('NFKC'))) return 'contains a reference to an agent, such as "Agent Id:" or "##"'
  return undefined
}

/**
 * Refuses a name that could imitate another one by characters that are not seen.
 * @throws Problem invalid-input
 */
export const checkName = (text: string, pointer: string): void => {
  const fault = nameFault(text)
  if (fault) throw new Problem('invalid-input', `${pointer}: the name ${fault}.`, pointer)
}
