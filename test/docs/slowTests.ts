import { globSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/**
 * The folders of tests whose slow files walk through a folder of src. Most of them enter through a service or a command, so their
 * imports do not show it. A folder with tests of its own name has those too.
 */
const walkedBy: Record<string, string> = {
  a2a: '',
  chain: 'contracts faults',
  cli: 'house docs',
  client: 'kit',
  domain: 'hire faults conversations fuzz',
  features: 'hire',
  files: 'kit',
  http: 'fuzz',
  identity: 'security',
  kit: 'docs cli',
  language: 'conversations eval hire',
  llm: 'conversations eval hire',
  mcp: '',
  net: 'security',
  operations: 'hire security features',
  operator: 'canaries',
  package: 'cli',
  ports: 'faults',
  process: 'operator scale',
  records: 'http mcp',
  search: 'eval',
  store: 'faults scale soak',
  web: '',
  workers: 'faults scale hire features',
}

const slowIn = (folder: string): string[] =>
  globSync(`test/${folder}/**/*.slow.test.ts`, { cwd: root })
    .map(it => it.slice(`test/${folder}/`.length).replace('.slow.test.ts', ''))
    .sort()

/**
 * The folders of tests with slow files, for one folder of src.
 * @throws RangeError for a folder of src that the table does not have, and for a folder of tests without slow files
 */
const slowFoldersOf = (folder: string): string[] => {
  const others = walkedBy[folder]?.split(' ').filter(it => it !== '')
  if (!others) throw new RangeError(`test/docs/slowTests.ts does not say which slow tests walk through src/${folder}`)
  const idle = others.find(it => slowIn(it).length === 0)
  if (idle) throw new RangeError(`test/${idle} has no slow tests`)
  return [...(slowIn(folder).length > 0 ? [folder] : []), ...others]
}

/** The lists for AGENTS.md: the slow tests of each folder of src, then the files in each folder of slow tests. */
export const slowTests = (): string => {
  const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).flatMap(it => (it.isDirectory() ? it.name : []))
  const rows = folders.sort().map(it => ({ it, of: slowFoldersOf(it) }))
  const used = [...new Set(rows.flatMap(({ of }) => of))].sort()
  return [
    ...['| changed | slow tests |', '| --- | --- |'],
    ...rows.map(({ it, of }) => `| \`src/${it}\` | ${of.map(name => `\`test/${name}\``).join(', ')} |`),
    ...['', '| slow tests | files, each `<name>.slow.test.ts` |', '| --- | --- |'],
    ...used.map(it => `| \`test/${it}\` | ${slowIn(it).join(', ')} |`),
  ].join('\n')
}
