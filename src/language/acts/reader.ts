import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { sha256 } from '../../domain/json.ts'
import { type Act, acts, type Reading, type Situation } from '../../domain/runs/acts.ts'
import { toOwnWords } from '../../domain/text/ownWords.ts'
import { classify, type Weights } from './classifier.ts'
import { parseExamples, readExampleText } from './examples.ts'
import { tableSize } from './features.ts'

/** Version of the features and the training. Increase it to invalidate stored weights. */
const recipe = 1
const hashChars = 16
const cells = tableSize * acts.length

export type ActReader = { read(of: { text: string; situation: Situation }): Promise<Reading> }

/** `wordsByAct` holds every word of the examples of an act. */
type Known = { weights: Weights; wordsByAct: ReadonlyMap<Act, ReadonlySet<string>> }

/**
 * Creates the classifier that finds the act of a message. It is trained from the example files in a worker thread when it is
 * first used. Weights are stored in `dir`, under the hash of the examples; without `dir` they stay in memory.
 */
export const createActReader = ({ dir }: { dir?: string | undefined } = {}): ActReader => {
  let known: Promise<Known> | undefined
  const load = () => {
    known ??= loadKnown(dir).catch((error: unknown) => {
      known = undefined
      throw error
    })
    return known
  }
  return {
    async read({ text, situation }) {
      const { weights, wordsByAct } = await load()
      // What is quoted counts as a quotation, whatever it says.
      const own = toOwnWords(text).text.replace(/\[text \d+\]/g, '“text”')
      return correctedBy(doubtStrange(classify(weights, own, situation), own, wordsByAct), own, { situation, wordsByAct })
    },
  }
}

const loadKnown = async (dir: string | undefined): Promise<Known> => {
  const examples = await readExampleText()
  const parsed = parseExamples(examples)
  const byAct = Map.groupBy(parsed, it => it.act)
  const wordsByAct = new Map(acts.map(act => [act, new Set((byAct.get(act) ?? []).flatMap(it => toSaidWords(it.text)))]))
  return { weights: await loadWeights(examples, dir), wordsByAct }
}

const wordPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}]+(?:'\p{L}+)?|\p{Extended_Pictographic}/gu

/** The lower-case words of a message. */
const toSaidWords = (message: string): string[] => message.toLowerCase().replaceAll('’', "'").match(wordPattern) ?? []

/** Acts that users can express with words outside the examples. */
const openActs: readonly Act[] = ['task', 'answer', 'change', 'pick']
const strangeShare = 0.3

/** A payment is doubted above this share of unknown words: whatever else is to be done with an address is a task. */
const maxUnknown = 0.3
const formats = /\bhttps?:\/\/\S+|\d\S*/gi

/** From the first opening bracket to the last closing one. A pattern would search for the end from each opening bracket. */
const withoutBracketed = (text: string): string => {
  const [from, to] = [text.search(/[{[]/), Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))]
  return from < 0 || to < from ? text : `${text.slice(0, from)} ${text.slice(to + 1)}`
}

/**
 * Lowers the probability of an act when the message shares no word with its examples, and that of a payment when too many of
 * its words are in none. Similar letters alone are weak evidence.
 */
const doubtStrange = (reading: Reading, text: string, wordsByAct: Known['wordsByAct']): Reading => {
  const known = wordsByAct.get(reading.act)
  const said = toSaidWords(withoutBracketed(text).replace(formats, ' '))
  const unknown = said.filter(it => !known?.has(it))
  const isStrange =
    reading.act === 'pay'
      ? unknown.length > maxUnknown * said.length
      : !openActs.includes(reading.act) && !toSaidWords(text).some(it => known?.has(it))
  return isStrange ? { ...reading, sure: reading.sure * strangeShare } : reading
}

const refusalLead = /^\W*(?:no|nope|nah)\W+/i
/** A longer message gives a reason. */
const maxCorrected = 3

/** A refusal of a proposal that goes on only with words of no refusal is a correction: "no, Lisbon". */
const correctedBy = (
  reading: Reading,
  text: string,
  { situation, wordsByAct }: { situation: Situation } & Pick<Known, 'wordsByAct'>,
): Reading => {
  const rest = toSaidWords(text.replace(refusalLead, ''))
  const isValue = rest.length > 0 && rest.length <= maxCorrected && !rest.some(it => wordsByAct.get('no')?.has(it))
  const isCorrection = reading.act === 'no' && situation.stage === 'proposal' && refusalLead.test(text) && isValue
  return isCorrection ? { ...reading, act: 'change', other: 'no' } : reading
}

const loadWeights = async (examples: string, dir: string | undefined): Promise<Weights> => {
  const file = dir && join(dir, `acts-${sha256(`${recipe}\n${acts.join()}\n${examples}`).slice(0, hashChars)}.bin`)
  const kept = file && (await readKept(file))
  if (kept) return kept
  const trained = await trainApart(examples)
  if (dir && file) await keep(trained, { dir, file })
  return trained
}

const readKept = async (file: string): Promise<Weights | undefined> => {
  const bytes = await readFile(file).catch(() => undefined)
  if (bytes?.byteLength !== (cells + tableSize) * Float32Array.BYTES_PER_ELEMENT) return undefined
  const numbers = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
  return { table: numbers.subarray(0, cells), rarity: numbers.subarray(cells) }
}

/** Writes a temporary file and renames it, so that a concurrent process never reads a partial file. */
const keep = async ({ table, rarity }: Weights, { dir, file }: { dir: string; file: string }) => {
  const numbers = new Float32Array(cells + tableSize)
  numbers.set(table)
  numbers.set(rarity, cells)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const beside = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`
  await writeFile(beside, numbers)
  await rename(beside, file)
}

const trained = z.object({ table: z.instanceof(Float32Array), rarity: z.instanceof(Float32Array) })

const trainApart = (examples: string): Promise<Weights> =>
  new Promise((resolve, reject) => {
    const file = new URL(`./trainWorker${extname(import.meta.url)}`, import.meta.url)
    // Without the flags of the process: a module that they preload may work only in the main thread.
    const worker = new Worker(file, { workerData: examples, execArgv: [] })
    worker.unref()
    worker.once('message', message => resolve(trained.parse(message)))
    worker.once('error', reject)
  })
