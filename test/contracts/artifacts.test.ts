import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { compileContracts } from '../../src/chain/contracts/compile.ts'

const folder = new URL('../../src/chain/contracts/artifacts/', import.meta.url)

test('the committed artifacts are what the sources compile to, byte for byte', async () => {
  const compiled = await compileContracts()
  const files = (await readdir(folder)).filter(file => file.endsWith('.ts'))
  expect(files.sort()).toEqual([...compiled.keys()].sort())
  for (const [file, text] of compiled) {
    expect((await readFile(new URL(file, folder), 'utf8')) === text, `${file}: run "npm run contracts"`).toBe(true)
  }
  // Seconds of work for the compiler, many more on a machine that is busy otherwise.
}, 120_000)
