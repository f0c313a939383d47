import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

// Which tests belong to a feature: those in its folder test/features/<name>, and those that import the feature, directly or through
// other tests. A suite that a test only runs (`import './x.suite.ts'`) is a test of its own.

// Types are erased, so an import of types alone runs nothing.
const imported = /^(?:import|export)\s(?!type\s)(?:[^'"]*?\sfrom\s+)?'(\.[^']+)'/gm
const ran = /^import '(\.[^']+\.suite\.ts)'$/gm

const read = (root: string, file: string) => {
  const text = readFileSync(join(root, file), 'utf8')
  const toPath = (specifier = '') => join(dirname(file), specifier)
  const suites = new Set([...text.matchAll(ran)].map(it => toPath(it[1])))
  const imports = [...text.matchAll(imported)].map(it => toPath(it[1])).filter(it => !suites.has(it))
  return { file, imports }
}

/** The test files, helpers and suites of a feature, as paths below `root`. */
export const testsOf = (root: string, feature: string): string[] => {
  const all = globSync('test/**/*.ts', { cwd: root }).map(file => read(root, file))
  const isOwn = (path: string) => path.startsWith(`src/features/${feature}/`) || path.startsWith(`test/features/${feature}/`)
  const found = new Set(all.map(it => it.file).filter(isOwn))
  for (let before = -1; before < found.size; ) {
    before = found.size
    for (const { file, imports } of all) if (imports.some(it => isOwn(it) || found.has(it))) found.add(file)
  }
  return [...found].toSorted()
}

/** Deletes the tests of a feature, and the lines that run its suites. @returns the deleted files */
export const leaveOutTests = (root: string, feature: string): string[] => {
  const files = testsOf(root, feature)
  const left = new Set(files)
  for (const file of files) rmSync(join(root, file))
  for (const file of globSync('test/**/*.test.ts', { cwd: root })) {
    const text = readFileSync(join(root, file), 'utf8')
    const kept = text.replace(ran, (line, suite: string) => (left.has(join(dirname(file), suite)) ? '' : line))
    if (kept !== text) writeFileSync(join(root, file), kept)
  }
  return files
}
