import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const table = new URL('../../src/search/table.ts', import.meta.url).href
const program = `const { openOrCreate } = await import('${table}'); (await openOrCreate(process.argv[1])).close()`

test('a process that opens an empty or a damaged index writes nothing beside its log', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'search-'))
  // The library reads its variable once, when it is loaded, so each opening has a process of its own.
  const { LANCEDB_LOG: _, ...env } = process.env
  const open = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, dir], { env })
  expect(await open()).toEqual({ stdout: '', stderr: '' })
  const files = (await readdir(dir, { recursive: true, withFileTypes: true })).filter(it => it.isFile())
  await Promise.all(files.map(it => writeFile(join(it.parentPath, it.name), 'damaged')))
  expect(await open()).toEqual({ stdout: '', stderr: '' })
  await rm(dir, { recursive: true, force: true })
})
