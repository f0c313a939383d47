import { promisify } from 'node:util'
import { inflate } from 'node:zlib'

const inflated = promisify(inflate)

/** Compressed objects of a PDF that are read, in bytes of all together, and of one stream. */
const mostBytes = 32 * 1_024 * 1_024
const mostOfOne = 4 * 1_024 * 1_024
const mostObjects = 200_000
/** The longest dictionary that is looked at. */
const dictionaryChars = 20_000

/**
 * The number of pages that a PDF tells in the root of its pages (ISO 32000-1, 7.7.3). Pages are neither drawn nor read. Undefined
 * for an encrypted or broken file.
 */
export const countPdfPages = async (bytes: Buffer): Promise<number | undefined> => {
  const text = bytes.toString('latin1')
  const objects = new Map<string, string>()
  let left = mostBytes
  for (const { 0: head, 1: id = '', index } of text.matchAll(/(\d{1,10})\s+\d{1,5}\s+obj\b/g)) {
    if (objects.size > mostObjects) return undefined
    const begin = index + head.length
    const dictionary = dictionaryAt(text, begin)
    objects.set(id, dictionary)
    if (!/\/Type\s*\/ObjStm\b/.test(dictionary) || left <= 0) continue
    const packed = await unpack(bytes, begin + dictionary.length)
    left -= packed.length
    for (const [inner, value] of objectsIn(dictionary, packed)) objects.set(inner, value)
  }
  const catalog = [...objects.values()].findLast(it => /\/Type\s*\/Catalog\b/.test(it))
  const [, root = ''] = /\/Pages\s+(\d+)\s+\d+\s+R/.exec(catalog ?? '') ?? []
  const [, count] = /\/Count\s+(\d{1,7})\b/.exec(objects.get(root) ?? '') ?? []
  return count === undefined ? undefined : Number(count)
}

const dictionaryAt = (text: string, begin: number): string => {
  const part = text.slice(begin, begin + dictionaryChars)
  const end = /\bendobj\b|\bstream\r?\n/.exec(part)?.index
  return part.slice(0, end)
}

/** The text of a compressed stream that begins after its dictionary; empty when it cannot be read. */
const unpack = async (bytes: Buffer, from: number): Promise<string> => {
  const head = /^\s*stream\r?\n/.exec(bytes.toString('latin1', from, from + 20))?.[0]
  if (head === undefined) return ''
  const end = bytes.indexOf('endstream', from)
  const data = bytes.subarray(from + head.length, end < 0 ? undefined : end)
  return inflated(data, { maxOutputLength: mostOfOne }).then(
    it => it.toString('latin1'),
    () => '',
  )
}

/** The objects of an object stream (ISO 32000-1, 7.5.7): pairs of number and offset, then the objects. */
const objectsIn = (dictionary: string, packed: string): [id: string, value: string][] => {
  const first = Number(/\/First\s+(\d+)/.exec(dictionary)?.[1] ?? 0)
  const numbers = packed.slice(0, first).trim().split(/\s+/)
  const pairs = numbers.flatMap((it, at): [string, number][] => (at % 2 === 0 ? [[it, Number(numbers[at + 1])]] : []))
  return pairs.map(([id, offset], at) => [id, packed.slice(first + offset, first + (pairs[at + 1]?.[1] ?? packed.length))])
}
