import { createHash } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

const inflate = promisify(gunzip)
/** A power cut may damage the newest file. The previous one was complete before the newest was begun. */
const generations = 2
const digestChars = 64

/** States of the embedded chain on disk, with increasing numbers. */
export type Checkpoints = {
  numbers(): Promise<number[]>
  /** Writes a gzipped state of anvil_dumpState, deletes all but the two newest, and returns its number. */
  add(state: Buffer): Promise<number>
  /** Unpacks a state into a file that anvil can load, and returns its path. */
  unpack(number: number): Promise<string>
}

/**
 * A file holds the SHA-256 of its content and then the gzip bytes. It is written under another name and renamed, so it is
 * complete or absent.
 */
export const createCheckpoints = (dir: string): Checkpoints => {
  const pathOf = (number: number) => join(dir, `checkpoint-${number}`)

  const stored = async (): Promise<number[]> => {
    await mkdir(dir, { recursive: true })
    const names = (await readdir(dir)).flatMap(name => /^checkpoint-(\d+)$/.exec(name)?.[1] ?? [])
    return names.map(Number).sort((a, b) => b - a)
  }

  const read = async (number: number): Promise<Buffer | undefined> => {
    const bytes = await readFile(pathOf(number)).catch(() => undefined)
    const state = bytes?.subarray(digestChars)
    return state && bytes?.subarray(0, digestChars).toString() === digestOf(state) ? state : undefined
  }

  return {
    async numbers() {
      const checked = await Promise.all(
        (await stored()).map(async number => ({ number, isWhole: (await read(number)) !== undefined })),
      )
      await Promise.all(checked.filter(it => !it.isWhole).map(it => rm(pathOf(it.number), { force: true })))
      return checked.filter(it => it.isWhole).map(it => it.number)
    },

    async add(state) {
      const before = await stored()
      const number = (before[0] ?? 0) + 1
      const draft = join(dir, 'checkpoint.draft')
      await writeThrough(draft, Buffer.concat([Buffer.from(digestOf(state)), state]))
      await rename(draft, pathOf(number))
      await syncFolder(dir)
      await Promise.all(before.slice(generations - 1).map(old => rm(pathOf(old), { force: true })))
      return number
    },

    async unpack(number) {
      const state = await read(number)
      if (!state) throw new Error(`checkpoint ${number} is damaged`)
      const path = join(dir, 'state.json')
      await writeFile(path, await inflate(state))
      return path
    },
  }
}

const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

const writeThrough = async (path: string, bytes: Buffer) => {
  const handle = await open(path, 'w', 0o600)
  await handle.writeFile(bytes)
  await handle.sync()
  await handle.close()
}

const syncFolder = async (dir: string) => {
  const folder = await open(dir)
  await folder.sync()
  await folder.close()
}
