import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An unused place for a database, and the function that removes it. */
export type Spot<Place = { file: string } | { url: string }> = { place: Place; remove(): Promise<void> }

export const newFile = async (): Promise<Spot<{ file: string }>> => {
  const folder = mkdtempSync(join(tmpdir(), 'store-'))
  return { place: { file: join(folder, 'market.db') }, remove: async () => rmSync(folder, { recursive: true }) }
}
