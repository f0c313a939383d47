import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { z } from 'zod'

const contracts = new URL('../../src/chain/contracts/', import.meta.url)
const kept = new URL('../../node_modules/.cache/marketplace/', import.meta.url)
const require = createRequire(import.meta.url)

/** All that decides what the compiler answers beside what it is asked: our sources, how it is called, it and what it imports. */
const readSurroundings = async () => {
  const ours = (await readdir(contracts)).filter(file => /\.(sol|ts)$/.test(file)).sort()
  const packages = ['solc', '@openzeppelin/contracts', 'solady'].map(it => require.resolve(`${it}/package.json`))
  return Promise.all([...ours.map(file => new URL(file, contracts)), ...packages].map(place => readFile(place, 'utf8')))
}

/**
 * What a compilation answers, kept on this machine until anything changes that it follows from: the same compiler makes the
 * same bytes of the same text, and takes seconds for it.
 * @param asked tells this compilation from others
 */
export const compileOnce = async <T>(asked: unknown, shape: z.ZodType<T>, compile: () => Promise<T>): Promise<T> => {
  const text = JSON.stringify([asked, await readSurroundings()])
  const place = new URL(`${createHash('sha256').update(text).digest('hex')}.json`, kept)
  const found = await readFile(place, 'utf8').catch(() => undefined)
  if (found !== undefined) return shape.parse(JSON.parse(found))
  const compiled = await compile()
  await mkdir(kept, { recursive: true })
  const draft = new URL(`${place}.${process.pid}`)
  await writeFile(draft, JSON.stringify(compiled))
  await rename(draft, place)
  return compiled
}

const contract = z.object({ abi: z.array(z.json()), evm: z.object({ bytecode: z.object({ object: z.string() }) }) })
const files = z.record(z.string(), z.record(z.string(), contract))

/** As `compileSolidity`, which is loaded only when there is something to compile. */
export const compileSources = (sources: Record<string, { content: string }>) =>
  compileOnce(sources, files, async () => {
    const { compileSolidity } = await import('../../src/chain/contracts/compile.ts')
    return compileSolidity(sources)
  })
