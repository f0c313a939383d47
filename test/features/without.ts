import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { features } from '../../src/features/features.ts'
import { command, print } from '../command.ts'
import { leaveOutTests } from './leaveOutTests.ts'

// Deletes each feature, those that need it, and their tests in a copy of the last commit. There it checks the product (types,
// imports and cycles), renews the generated documents and runs the tests of the fast lane that reach features. Exits with 1 when
// the core does not stand without a feature.

const { only } = command('slices', 'Checks the product without each feature, in a copy of the last commit.')
  .option('--only <feature>', 'this feature alone')
  .parse()
  .opts<{ only?: string }>()

const root = join(import.meta.dirname, '../..')
const place = mkdtempSync(join(tmpdir(), 'without-'))
const git = (...given: string[]) => execFileSync('git', given, { cwd: root, stdio: 'ignore' })

/** A project without tests. */
const product = {
  extends: './tsconfig.json',
  compilerOptions: { incremental: false },
  include: ['src', 'graphs', 'prompts'],
  exclude: ['src/web', 'dist'],
}
const node = process.execPath
const checks: readonly (readonly [string, readonly string[]])[] = [
  ['node_modules/.bin/tsc', ['-p', 'product.json']],
  ['node_modules/.bin/tsc', ['-p', 'src/web']],
  ['node_modules/.bin/depcruise', ['src', 'graphs', 'prompts', '--config', '.dependency-cruiser.mjs', '--output-type', 'err']],
  [node, ['test/house/rooms.ts']],
  [node, ['test/docs/generated.ts']],
  // The others import no feature, directly or through other files, and cannot notice that one is gone.
  ['node_modules/.bin/vitest', ['related', 'src/features/features.ts', '--run', '--config', 'test/vitest.config.ts']],
]

const shownLines = 20

/** The failed tests that a check names, with their errors; else its first lines. */
const linesOf = (said: string): string[] => {
  const lines = stripVTControlCharacters(said).trim().split('\n')
  const failed = [...new Set(lines.filter(it => / FAIL |^\w*Error: /.test(it)))]
  return (failed.length > 0 ? failed : lines).slice(0, shownLines)
}

/** What the first failing check says; undefined when all pass. */
const findFault = (copy: string): string | undefined => {
  for (const [command, given] of checks)
    try {
      execFileSync(command, given, { cwd: copy, encoding: 'utf8', stdio: 'pipe' })
    } catch (error) {
      // Vitest names the failed tests on its error output.
      const said =
        error instanceof Error && 'stdout' in error && 'stderr' in error ? `${error.stdout}\n${error.stderr}` : `${error}`
      return linesOf(said).join('\n') || `${command} failed`
    }
  return undefined
}

/** The feature, and those that need it. */
const withDependents = (name: string): string[] => [
  name,
  ...features.filter(it => it.needs?.includes(name)).flatMap(it => withDependents(it.name)),
]

const removeFeature = (copy: string, name: string) => {
  rmSync(join(copy, 'src/features', name), { recursive: true })
  const file = join(copy, 'src/features/features.ts')
  const imported = new RegExp(`^import .* from './${name}/feature\\.ts'\\n`, 'm')
  const listed = new RegExp(`(features: readonly Feature\\[\\] = \\[[^\\]]*?)\\b${name}\\b,?\\s*`)
  writeFileSync(file, readFileSync(file, 'utf8').replace(imported, '').replace(listed, '$1'))
}

try {
  for (const { name } of features.filter(it => only === undefined || it.name === only)) {
    const copy = join(place, name)
    git('worktree', 'add', '--detach', copy)
    try {
      symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
      writeFileSync(join(copy, 'product.json'), JSON.stringify(product))
      const gone = [...new Set(withDependents(name))]
      for (const it of gone) removeFeature(copy, it)
      const files = gone.flatMap(it => leaveOutTests(copy, it)).filter(it => it.endsWith('.test.ts'))
      const fault = findFault(copy)
      print(`without ${gone.join(' and ')}: ${fault ?? 'green'} (${files.length} test files left out)`)
      if (fault) process.exitCode = 1
    } finally {
      git('worktree', 'remove', '--force', copy)
    }
  }
} finally {
  rmSync(place, { recursive: true, force: true })
}
