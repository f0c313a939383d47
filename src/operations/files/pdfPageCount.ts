import { setImmediate as turn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'

const inflated = promisify(inflate)

/** Bytes that are unpacked and characters that are looked at: of a whole PDF, and of one stream. */
const mostOfAll = 64 * 1_024 * 1_024
const mostOfOne = 4 * 1_024 * 1_024
const mostObjects = 200_000
/** Objects that are read before other work has its turn. They take a millisecond or two. */
const objectsATurn = 5_000
/** The longest dictionary that is looked at. */
const dictionaryChars = 20_000

/**
 * The number of pages that a PDF tells in the root of its pages (ISO 32000-1, 7.7.3). Pages are neither drawn nor read. Undefined
 * for an encrypted or broken file, and for one that takes more work than the bounds allow.
 */
export const countPdfPages = async (bytes: Buffer): Promise<number | undefined> => {
  const text = bytes.toString('latin1')
  const objects = new Map<string, string>()
  let left = mostOfAll
  const add = (id: string, dictionary: string) => {
    left -= dictionary.length + 1
    if (left > 0 && objects.size < mostObjects) objects.set(id, dictionary)
  }
  const heads = text.matchAll(/(\d{1,10})\s+\d{1,5}\s+obj\b/g)
  let next = heads.next()
  for (let at = 1; !next.done && left > 0; at += 1) {
    if (at % objectsATurn === 0) await turn()
    const { 0: head, 1: id = '', index } = next.value
    next = heads.next()
    const begin = index + head.length
    const dictionary = dictionaryAt(text, begin, next.value?.index)
    add(id, dictionary)
    if (!/\/Type\s*\/ObjStm\b/.test(dictionary)) continue
    const data = streamAt(bytes, begin + dictionary.length)
    const packed = await unpack(data)
    left -= data.length + packed.length
    for (const [inner, value] of objectsIn(dictionary, packed)) add(inner, value)
  }
  if (left <= 0) return undefined
  const catalog = [...objects.values()].findLast(it => /\/Type\s*\/Catalog\b/.test(it))
  const [, root = ''] = /\/Pages\s+(\d+)\s+\d+\s+R/.exec(catalog ?? '') ?? []
  const [, count] = /\/Count\s+(\d{1,7})\b/.exec(objects.get(root) ?? '') ?? []
  return count === undefined ? undefined : Number(count)
}

/** What stands between the head of an object and its end, its stream, or the next object. */
const dictionaryAt = (text: string, begin: number, next = text.length): string => {
  const part = text.slice(begin, Math.min(next, begin + dictionaryChars))
  const end = /\bendobj\b|\bstream\r?\n/.exec(part)?.index
  return part.slice(0, end)
}

/** The compressed bytes of a stream that begins after its dictionary; none where no stream begins. */
const streamAt = (bytes: Buffer, from: number): Buffer => {
  const head = /^\s*stream\r?\n/.exec(bytes.toString('latin1', from, from + 20))?.[0]
  if (head === undefined) return Buffer.alloc(0)
  const data = bytes.subarray(from + head.length, from + head.length + mostOfOne)
  const end = data.indexOf('endstream')
  return end < 0 ? data : data.subarray(0, end)
}

/** The text of compressed bytes; empty when they cannot be read. */
const unpack = (data: Buffer): Promise<string> =>
  inflated(data, { maxOutputLength: mostOfOne }).then(
    it => it.toString('latin1'),
    () => '',
  )

/** The objects of an object stream (ISO 32000-1, 7.5.7): pairs of number and offset, then the objects. */
function* objectsIn(dictionary: string, packed: string): Generator<[id: string, value: string]> {
  const first = Number(/\/First\s+(\d{1,10})/.exec(dictionary)?.[1] ?? 0)
  const pairs = packed.slice(0, first).matchAll(/(\d{1,10})\s+(\d{1,10})/g)
  let next = pairs.next()
  while (!next.done) {
    const [, id = '', offset] = next.value
    next = pairs.next()
    const begin = first + Number(offset)
    const end = next.done ? packed.length : first + Number(next.value[2])
    yield [id, packed.slice(begin, Math.min(end, begin + dictionaryChars))]
  }
}
