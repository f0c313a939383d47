import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { rolldown } from 'rolldown'
import { assemble } from '../assemble.ts'
import { toDocument } from '../http/openapi.ts'
import { builtFiles, bundle, bundleDoor } from '../http/pageScripts.ts'
import { bundleSlip } from '../mcp/slip/slipPage.ts'
import { generateTypes, installGenerators } from './generators.ts'

// Builds the content of the npm package. Node does not strip types under node_modules, so the package contains JavaScript. The
// repository itself runs its TypeScript directly.

const root = join(import.meta.dirname, '../..')
const dist = join(root, 'dist')

/** Files other than code that are read at run time. */
const assets = [
  'docs/*.md',
  'docs/examples/python/*.py',
  'prompts/acts/*.txt',
  'prompts/plans/places.txt',
  'src/http/pages/*/*',
  'src/features/sharing/*.json',
  'src/language/*/*.json',
  'src/web/**/*.{css,svg,png,js}',
]

const vendored = '@lancedb/lancedb'

/**
 * Bundles LanceDB's JavaScript into one file. Its package has two large optional dependencies, and npm ignores the overrides of
 * a dependency. The native parts stay dependencies.
 */
const vendorLanceDb = async () => {
  const entry = join(dist, 'vendor/entry.js')
  mkdirSync(dirname(entry), { recursive: true })
  writeFileSync(entry, `export { connect, Index, Session } from '${vendored}'\n`)
  const bundler = await rolldown({
    input: entry,
    cwd: root,
    platform: 'node',
    external: id => /^@lancedb\/lancedb-|\.node$|^openai$|^@huggingface\//.test(id),
    logLevel: 'silent',
  })
  const file = join(dist, 'vendor/lancedb.js')
  await bundler.write({ file, format: 'es', codeSplitting: false })
  await bundler.close()
  rmSync(entry)
  const importing = globSync('src/**/*.js', { cwd: dist }).filter(it =>
    readFileSync(join(dist, it), 'utf8').includes(`'${vendored}'`),
  )
  if (importing.length === 0) throw new Error(`No file imports ${vendored}.`)
  for (const it of importing) {
    const place = join(dist, it)
    const path = relative(dirname(place), file)
    writeFileSync(place, readFileSync(place, 'utf8').replaceAll(`'${vendored}'`, `'${path}'`))
  }
}

const typeClient = async () => {
  const generators = await installGenerators()
  try {
    const document = join(generators.dir, 'openapi.json')
    writeFileSync(document, JSON.stringify(toDocument(assemble().routes, 'http://127.0.0.1:8001')))
    await generateTypes(generators, document, join(dist, 'src/client/schema.d.ts'))
  } finally {
    await generators.remove()
  }
}

const run = async () => {
  rmSync(dist, { recursive: true, force: true })
  execFileSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(import.meta.dirname, 'tsconfig.json')],
    {
      stdio: 'inherit',
    },
  )
  for (const pattern of assets)
    for (const it of globSync(pattern, { cwd: root })) {
      mkdirSync(dirname(join(dist, it)), { recursive: true })
      cpSync(join(root, it), join(dist, it))
    }
  writeFileSync(join(dist, 'src/web', builtFiles.page), JSON.stringify(await bundle()))
  writeFileSync(join(dist, 'src/web', builtFiles.door), await bundleDoor())
  writeFileSync(join(dist, 'src/web/slip.html'), await bundleSlip())
  await vendorLanceDb()
  await typeClient()
  chmodSync(join(dist, 'src/market.js'), 0o755)
}

await run()
