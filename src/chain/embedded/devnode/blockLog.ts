import { appendFile, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Hex } from '../../../domain/hex.ts'
import { parseJson } from '../../../domain/json.ts'
import type { Mined } from '../../../ports.ts'
import { type MinedBlock, minedBlock } from './mining.ts'

/**
 * The order in which the embedded chain mined, as a file. The journal records a mined transaction only after its sender asked
 * for the receipt. If the chain died before that, a replay could assign other job ids than a client already saw.
 */
export type BlockLog = {
  append(block: MinedBlock): Promise<void>
  /** Starts a new file and deletes files whose blocks are all below `keepFrom`: every checkpoint contains these blocks. */
  rotate(to: number, keepFrom: number): Promise<void>
  read(): Promise<Map<Hex, Logged>>
}

/** Where a transaction was mined, and its signed bytes where they are known. */
export type Logged = { mined: Mined; raw: Hex | undefined }

export const createBlockLog = (dir: string): BlockLog => {
  let current = 0
  const pathOf = (number: number) => join(dir, `blocks-${number}.log`)

  const stored = async (): Promise<number[]> => {
    await mkdir(dir, { recursive: true })
    const names = (await readdir(dir)).flatMap(name => /^blocks-(\d+)\.log$/.exec(name)?.[1] ?? [])
    return names.map(Number).sort((a, b) => a - b)
  }

  return {
    append: block => appendFile(pathOf(current), `${JSON.stringify(block)}\n`),

    async rotate(to, keepFrom) {
      current = to
      await Promise.all((await stored()).filter(number => number < keepFrom).map(number => rm(pathOf(number), { force: true })))
    },

    async read() {
      const texts = await Promise.all((await stored()).map(number => readFile(pathOf(number), 'utf8')))
      // The last line may be incomplete. The journal then shows its transactions as not mined, and their senders send them
      // again.
      const blocks = texts
        .join('')
        .split('\n')
        .flatMap(line => minedBlock.safeParse(parseJson(line)).data ?? [])
      return new Map(blocks.flatMap(toLogged))
    },
  }
}

const toLogged = ({ number, timestamp, hashes, raws = [] }: MinedBlock): [Hex, Logged][] =>
  hashes.map((hash, index) => {
    const mined = { blockNumber: BigInt(number), blockTime: timestamp * 1_000, index }
    return [hash, { mined, raw: raws[index] ?? undefined }]
  })
