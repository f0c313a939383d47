import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { runInNewContext } from 'node:vm'
import type { Plugin } from 'rolldown'
import { z } from 'zod'

const source = new URL('../web/', import.meta.url)

/** `imports`: the scripts without which it does not run. */
const chunk = z.object({ fileName: z.string(), code: z.string(), imports: z.array(z.string()).default([]) })
const chunks = z.tuple([chunk], chunk)
type Chunk = z.infer<typeof chunk>
export type Chunks = [Chunk, ...Chunk[]]

/** Files in the npm package: the scripts as JSON, and the script that draws the door for the first paint. */
export const builtFiles = { page: 'page.json', door: 'door.js' }

/** Reads the scripts from the npm package, and bundles them where there is none. Rejects with the bundler's error. */
export const readScripts = (): Promise<Chunks> =>
  readFile(new URL(builtFiles.page, source), 'utf8').then(text => chunks.parse(JSON.parse(text)), bundle)

/** Scripts that only a PDF needs. They are large, so nobody keeps them for times without a line. */
export const pdfFiles = 'pdf'

/**
 * Bundles `src/web` into minified browser scripts. The first one is loaded with the page, the others when they are needed.
 * Rejects with the bundler's error.
 */
export const bundle = async (): Promise<Chunks> => {
  const { rolldown } = await import('rolldown')
  const bundler = await rolldown({
    input: new URL('main.tsx', source).pathname,
    tsconfig: new URL('tsconfig.json', source).pathname,
    transform: { target: 'es2022' },
  })
  const names = { entryFileNames: 'page-[hash:12].js', chunkFileNames: '[name]-[hash:12].js', hashCharacters: 'hex' as const }
  const { output } = await bundler.generate({ format: 'es', minify: true, ...names })
  await bundler.close()
  const [entry, ...rest] = output
  const toChunk = ({ fileName, code, imports }: typeof entry): Chunk => ({ fileName, code, imports })
  return [toChunk(entry), ...rest.filter(it => it.type === 'chunk').map(toChunk), await readPdfWorker()]
}

/** The thread that reads PDFs for the page, which finds it by the version of its package. */
const readPdfWorker = async (): Promise<Chunk> => {
  const { resolve } = createRequire(import.meta.url)
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(resolve('pdfjs-dist/package.json'), 'utf8')))
  const code = await readFile(resolve('pdfjs-dist/build/pdf.worker.min.mjs'), 'utf8')
  return { fileName: `${pdfFiles}Worker-${version}.js`, code, imports: [] }
}

/** The part of the library that draws as text, in place of the one that draws in a browser. */
const inText: Plugin = {
  name: 'text',
  resolveId: {
    order: 'pre',
    handler: source => (source === 'hono/jsx/dom' ? fileURLToPath(import.meta.resolve('hono/jsx')) : null),
  },
}

/** Bundles the script that draws the door as text. It has the components of the page. */
export const bundleDoor = async (): Promise<string> => {
  const { rolldown } = await import('rolldown')
  const bundler = await rolldown({
    input: new URL('drawDoor.tsx', source).pathname,
    tsconfig: false,
    platform: 'node',
    plugins: [inText],
    transform: { jsx: { importSource: 'hono/jsx' } },
    // They open with a press.
    external: /(?:EmailSignIn|PasskeyChoices)\.tsx$/,
  })
  const { output } = await bundler.generate({ format: 'iife', name: 'door', minify: true })
  await bundler.close()
  return output[0].code
}

/** Settings of the service that the door shows. */
export type DoorSettings = { local: boolean; mail: boolean; publicUrl: string }

/** Draws the door as text, so that a visitor sees it before any script has run. */
export const drawDoor = async (settings: DoorSettings): Promise<string> => {
  const built = new URL(builtFiles.door, source)
  const code = await readFile(built, 'utf8').catch(bundleDoor)
  return z
    .string()
    .parse(runInNewContext(`${code}\ndoor.drawDoor(settings)`, { settings, URL, TextEncoder }, { filename: builtFiles.door }))
}
