import { confusables } from './confusables.ts'

/** Characters that are easily mistaken for each other in a handle. */
const alikes: Record<string, string> = { _: '-', '.': '-', '0': 'o', '1': 'l', i: 'l', '5': 's' }

/** Folds a handle, so that look-alikes are equal: `sh0p_x` and `Shop-X`. */
export const foldHandle = (handle: string): string => handle.toLowerCase().replace(/[_.01i5]/g, char => alikes[char] ?? char)

/** Normalization may make a text eighteen times as long, and an index row is limited. */
const lookChars = 200

/**
 * What a text looks like: letters and digits only, in lower case, without marks, look-alikes of other scripts as ASCII. Two
 * texts of one look may be taken for each other (UTS #39, section 4). Not for display.
 */
export const lookOf = (text: string): string => {
  const letters = [...text.normalize('NFKD')].map(it => confusables.get(it) ?? it).join('')
  const plain = foldHandle(letters.normalize('NFKD')).replace(/[^\p{L}\p{N}]/gu, '')
  const look = plain === '' ? text.trim() || '?' : plain.replace(/rn/g, 'm').replace(/vv/g, 'w')
  return look.slice(0, lookChars)
}

/** A handle whose separators are ignored too: `tall-shop`, `tallshop` and `ta11--Shop` are one handle to a reader. */
export const handleKeyOf = (handle: string): string => foldHandle(handle).replaceAll('-', '')

const alphabet = [...'abcdefghjklmnopqrstuvwxyz2346789']
/** Shorter handles have too many neighbours that are other words. */
const minChars = 5

/** The keys that differ from a handle's key by one character: one more, one less, another one, or two exchanged. */
export const neighboursOf = (key: string): string[] => {
  if (key.length < minChars) return []
  const splits = Array.from({ length: key.length + 1 }, (_, at) => [key.slice(0, at), key.slice(at)] as const)
  const found = splits.flatMap(([head, tail]) => [
    ...(tail ? [head + tail.slice(1)] : []),
    ...(tail.length > 1 ? [head + tail.charAt(1) + tail.charAt(0) + tail.slice(2)] : []),
    ...alphabet.flatMap(letter => [head + letter + tail, ...(tail ? [head + letter + tail.slice(1)] : [])]),
  ])
  return [...new Set(found)].filter(it => it !== key)
}
