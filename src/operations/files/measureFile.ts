import { buffer } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import type { Measure, Measures } from '../../domain/files/fileRules.ts'
import { type Pixels, readPixels } from '../../domain/files/pixels.ts'
import { createRowCount } from '../../domain/files/rowCount.ts'
import type { FileRow } from '../../ports.ts'
import type { Deps } from '../operation.ts'

/** The bytes in which a picture tells its size. A preview of a camera comes before it. */
const pictureHeadBytes = 1_024 * 1_024
const isTable = /^text\/(?:csv|tab-separated-values|plain)$/

/** Reads measures of a file from its bytes. A measure that a file of its type does not have is left out. */
export const measureFile = async (
  { files }: Pick<Deps, 'files'>,
  file: FileRow,
  wanted: ReadonlySet<Measure>,
): Promise<Measures> => {
  const found: Measures = { bytes: file.bytes }
  if ((wanted.has('width') || wanted.has('height')) && file.mediaType.startsWith('image/'))
    Object.assign(found, await pixelsOf(files, file))
  if (wanted.has('rows') && isTable.test(file.mediaType)) {
    const count = createRowCount()
    for await (const chunk of files.open(file)) count.add(chunk)
    found.rows = count.rows()
  }
  if (wanted.has('pages') && file.mediaType === 'application/pdf') {
    const pages = await countPdfPages(files.open(file))
    if (pages !== undefined) found.pages = pages
  }
  return found
}

const pixelsOf = async (files: Deps['files'], file: FileRow): Promise<Pixels | undefined> => {
  const end = Math.min(file.bytes, pictureHeadBytes)
  return readPixels(await buffer(files.open(file, { start: 0, end })))
}

const inflated = promisify(inflate)

/** Bytes that are unpacked and characters that are looked at: of a whole PDF, and of one stream. */
const mostOfAll = 64 * 1_024 * 1_024
const mostOfOne = 4 * 1_024 * 1_024
const mostObjects = 200_000
/** Objects that are read before other work has its turn. They take a millisecond or two. */
const objectsATurn = 5_000
/** The longest dictionary that is looked at. */
const dictionaryChars = 20_000

/** What may follow the head of an object: its dictionary, and the first bytes of its stream with what stands before them. */
const bytesAfterHead = dictionaryChars + 20 + mostOfOne
const headBytes = 100
const windowBytes = 2 * bytesAfterHead

/**
 * The number of pages that a PDF tells in the root of its pages (ISO 32000-1, 7.7.3). Pages are neither drawn nor read, and a
 * few megabytes are in memory at once. Undefined for an encrypted or broken file, and beyond the bounds.
 */
export const countPdfPages = async (chunks: AsyncIterable<Uint8Array>): Promise<number | undefined> => {
  const objects = new Map<string, string>()
  let left = mostOfAll
  let seen = 0
  const add = (id: string, dictionary: string) => {
    left -= dictionary.length + 1
    if (left > 0 && objects.size < mostObjects) objects.set(id, dictionary)
  }
  for await (const window of windowsOf(chunks))
    for (const { id, dictionary, end } of dictionariesIn(window)) {
      if (left <= 0) return undefined
      seen += 1
      if (seen % objectsATurn === 0) await turn()
      add(id, dictionary)
      if (!/\/Type\s*\/ObjStm\b/.test(dictionary)) continue
      const data = streamAt(window.bytes, end)
      const packed = await unpack(data)
      left -= data.length + packed.length
      for (const [inner, value] of objectsIn(dictionary, packed)) add(inner, value)
    }
  return left > 0 ? pagesOf(objects) : undefined
}

const pagesOf = (objects: ReadonlyMap<string, string>): number | undefined => {
  const catalog = [...objects.values()].findLast(it => /\/Type\s*\/Catalog\b/.test(it))
  const [, root = ''] = /\/Pages\s+(\d+)\s+\d+\s+R/.exec(catalog ?? '') ?? []
  const [, count] = /\/Count\s+(\d{1,7})\b/.exec(objects.get(root) ?? '') ?? []
  return count === undefined ? undefined : Number(count)
}

/** A part of a file. Objects whose heads begin from `from` to `to` are whole in it, as far as they are looked at. */
type Window = { bytes: Buffer; from: number; to: number }

/** The parts of a file in turn. One holds until the next is asked for. */
async function* windowsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Window> {
  const held = Buffer.allocUnsafe(windowBytes)
  let length = 0
  let from = 0
  for await (const chunk of chunks)
    for (let taken = 0; taken < chunk.length; ) {
      const part = chunk.subarray(taken, taken + windowBytes - length)
      held.set(part, length)
      taken += part.length
      length += part.length
      if (length < windowBytes) continue
      const to = windowBytes - bytesAfterHead
      yield { bytes: held, from, to }
      // The bytes before `to` stay, because a head that begins there must not be taken for a shorter one.
      held.copyWithin(0, to - headBytes)
      length -= to - headBytes
      from = headBytes
    }
  yield { bytes: held.subarray(0, length), from, to: length }
}

/** The dictionaries of the objects that begin in a part, and where they end. */
function* dictionariesIn({ bytes, from, to }: Window): Generator<{ id: string; dictionary: string; end: number }> {
  const text = bytes.toString('latin1')
  const heads = text.matchAll(/(\d{1,10})\s+\d{1,5}\s+obj\b/g)
  let next = heads.next()
  while (!next.done && next.value.index < to) {
    const { 0: head, 1: id = '', index } = next.value
    next = heads.next()
    if (index < from) continue
    const begin = index + head.length
    const dictionary = dictionaryAt(text, begin, next.value?.index)
    yield { id, dictionary, end: begin + dictionary.length }
  }
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
