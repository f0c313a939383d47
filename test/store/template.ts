import { mkdtempSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../../src/store/store.ts'
import { newFile, type Spot } from './spot.ts'

const create = async (): Promise<string> => {
  const file = join(mkdtempSync(join(tmpdir(), 'template-')), 'market.db')
  await (await openStore({ file, clock: { now: Date.now } })).close()
  return file
}
let template: Promise<string> | undefined

/** Copies an empty database of the newest schema to a new file. To migrate a new file takes fifteen times as long. */
export const copySchema = async (file: string): Promise<void> => {
  template ??= create()
  await copyFile(await template, file)
}

/** A place with an empty database of the newest schema, and the function that removes it. */
export const newStoreFile = async (): Promise<Spot<{ file: string }>> => {
  const spot = await newFile()
  await copySchema(spot.place.file)
  return spot
}
