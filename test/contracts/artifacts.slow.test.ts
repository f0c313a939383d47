import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { compileOnce } from './compileOnce.ts'

const folder = new URL('../../src/chain/contracts/artifacts/', import.meta.url)

test('the committed artifacts are what the sources compile to, byte for byte', async () => {
  const texts = await compileOnce('artifacts', z.array(z.tuple([z.string(), z.string()])), async () => {
    const { compileContracts } = await import('../../src/chain/contracts/compile.ts')
    return [...(await compileContracts())]
  })
  const compiled = new Map(texts)
  const files = (await readdir(folder)).filter(file => file.endsWith('.ts'))
  expect(files.sort()).toEqual([...compiled.keys()].sort())
  for (const [file, text] of compiled) {
    expect((await readFile(new URL(file, folder), 'utf8')) === text, `${file}: run "npm run contracts"`).toBe(true)
  }
  // The compiler takes seconds, and much longer on a busy machine.
}, 120_000)
