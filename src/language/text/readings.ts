import type { Json } from '../../domain/json.ts'

/** Words of a value in which "or" can separate alternatives. Longer values are content. */
const readingWords = 4

const quote = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
const other = String.raw`["“']?([\p{L}\p{N}][\p{L}\p{M}\p{N}'-]*(?: \p{Lu}[\p{L}\p{M}'-]*){0,2})["”']?`

/**
 * The two alternatives of a value that the user left open: "Paris or London" for Paris. Undefined when the last message with
 * the value has no alternative.
 */
export const readingsOf = (value: Json, said: string[]): [string, string] | undefined => {
  const text = String(value)
  if (typeof value === 'boolean' || typeof value === 'object' || text.split(/\s+/).length > readingWords || !text)
    return undefined
  const message = said.findLast(it => it.toLowerCase().includes(text.toLowerCase()))
  if (!message?.includes(' or ')) return undefined
  const word = String.raw`(?<![\p{L}\p{N}])${quote(text)}(?![\p{L}\p{N}])`
  const [, before] = new RegExp(String.raw`(?<![\p{L}\p{N}])${other} or (?:in |to |the )?["“']?${word}`, 'u').exec(message) ?? []
  const [, after] = new RegExp(`${word}["”']? or (?:in |to |the )?${other}`, 'u').exec(message) ?? []
  const [first, second] = before === undefined ? [text, after] : [before, text]
  const isOpen = second !== undefined && first.toLowerCase() !== second.toLowerCase() && !isVague.test(before ?? after ?? '')
  return isOpen ? [first, second] : undefined
}

/** "Tokyo or so" and "two or more" name no alternative. */
const isVague =
  /^(?:so|more|less|fewer|whatever|something|anything|other|another|similar|thereabouts|not|near|nearby|around|both)$/i
