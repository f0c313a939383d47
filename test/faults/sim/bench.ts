import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../../../src/store/store.ts'

/** The place of scenarios: a folder, in memory where possible, with an empty database of the newest schema to copy. */
export type Bench = { dir: string; template: string }

const inMemory = '/dev/shm'

export const openBench = async (): Promise<Bench> => {
  const dir = mkdtempSync(join(existsSync(inMemory) ? inMemory : tmpdir(), 'market-faults-'))
  const template = join(dir, 'template.db')
  const store = await openStore({ file: template, clock: { now: () => 0 } })
  await store.close()
  return { dir, template }
}

export const closeBench = ({ dir }: Bench): void => rmSync(dir, { recursive: true, force: true })
