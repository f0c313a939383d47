import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { z } from 'zod'

const contracts = new URL('../../src/chain/contracts/', import.meta.url)
const kept = new URL('../../node_modules/.cache/marketplace/', import.meta.url)
const require = createRequire(import.meta.url)

/**
 * Everything besides the input that determines the compiler's output: our sources and scripts, and the versions of the
 * packages.
 */
const readSurroundings = async () => {
  const ours = (await readdir(contracts)).filter(file => /\.(sol|ts)$/.test(file)).sort()
  const packages = ['solc', '@openzeppelin/contracts', 'solady'].map(it => require.resolve(`${it}/package.json`))
  return Promise.all([...ours.map(file => new URL(file, contracts)), ...packages].map(place => readFile(place, 'utf8')))
}

/**
 * Caches the output of a compilation on this machine until the input, the sources or the compiler change. A compilation takes
 * seconds, and its output depends on nothing else.
 * @param asked the input, which is part of the cache key
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

/** Like `compileSolidity`, but loads the compiler only when the output is not cached. */
export const compileSources = (sources: Record<string, { content: string }>) =>
  compileOnce(sources, files, async () => {
    const { compileSolidity } = await import('../../src/chain/contracts/compile.ts')
    return compileSolidity(sources)
  })
