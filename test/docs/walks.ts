import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { features } from '../../src/features/features.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** A document can say which features it describes. Their files and routes are gone where a feature is left out. */
export const isWhole = (text: string): boolean =>
  (/^<!-- features: ([\w, ]+) -->$/m.exec(text)?.[1] ?? '')
    .split(', ')
    .every(name => name === '' || features.some(it => it.name === name))

/** The folders in which a document may leave out the beginning of a path. */
const folders = ['', 'src', 'graphs/butler']

/** The file of the project that a path in a document means; undefined when there is none. */
export const fileOf = (path: string): string | undefined =>
  folders.map(it => join(it, path)).find(it => existsSync(join(root, it)))

/** A walk of docs/architecture.md: its title, and the paths of the files that it goes through, in order. */
export type Walk = { title: string; paths: string[] }

/** The walks of a document: paragraphs of one section that begin with a bold title. */
export const walksOf = (text: string): Walk[] =>
  text
    .split('\n\n')
    .filter(it => it.startsWith('**') && it.includes('→'))
    .map(it => ({
      title: /^\*\*(.+?)\*\*/s.exec(it)?.[1] ?? '',
      paths: [...it.matchAll(/`([\w./-]+\.tsx?)`/g)].map(match => match[1] ?? ''),
    }))

const importsOf = (file: string): string[] =>
  [...read(file).matchAll(/from '(\.[^']+)'/g)].map(match => relative(root, join(root, dirname(file), match[1] ?? '')))

/** The members of the ports, that are called: they join files that do not import each other. */
const members = new Set(
  [...globSync('src/ports/*.ts', { cwd: root }), 'graphs/butler/deps.ts'].flatMap(file =>
    [...read(file).matchAll(/^ {2,}(\w+)(?:<[^>]+>)?\??(?:\(|: \()/gm)].map(match => match[1] ?? ''),
  ),
)
const called = (file: string): string[] =>
  [...read(file).matchAll(/[.,{ ](\w+)(?=[(,} ])/g)].flatMap(([, name = '']) => (members.has(name) ? name : []))

const adapters = globSync('{src/store,src/chain,graphs/butler}/**/*.ts', { cwd: root })

const definesOf = (file: string): Set<string> =>
  new Set(
    [...read(file).matchAll(/^ +(?:const |async )?(\w+)(?:\(|(?::| =) (?:async )?(?:\(|\w+ =>|\w+\())/gm)].map(
      match => match[1] ?? '',
    ),
  )
const definers = new Map(adapters.map(file => [file, definesOf(file)]))

/** The files from which the composition takes the code of a port's member, such as `judge: jobId => judgeDeliverable(deps, jobId)`. */
const wired = (name: string): string[] => {
  const text = read(composition)
  const line = new RegExp(`^ +${name}: (.+)$`, 'm').exec(text)?.[1] ?? ''
  return [...text.matchAll(/import \{([^}]+)\} from '(\.[^']+)'/g)]
    .filter(([, names = '']) => names.split(',').some(it => new RegExp(`\\b${it.trim()}\\b`).test(line)))
    .map(([, , from = '']) => relative(root, join(root, dirname(composition), from)))
}
const composition = 'src/butlerDeps.ts'

/** The files with the code of a port's member. */
const codeOf = (name: string): string[] => [...wired(name), ...adapters.filter(it => definers.get(it)?.has(name))]

const reaches = (from: string, to: string): boolean =>
  importsOf(from).includes(to) || importsOf(from).some(it => importsOf(it).includes(to))

const meets = (from: string, to: string): boolean =>
  called(from).some(name => codeOf(name).some(it => it === to || importsOf(it).includes(to)))

/**
 * Why a step of a walk does not lead to the next one; undefined when it does. It leads there when one of the two files imports the
 * other, directly or through one file between them, or when one calls a member of a port whose code is in the other, or in a file that imports the other.
 */
export const faultOf = (before: string, after: string): string | undefined => {
  const [from, to] = [fileOf(before), fileOf(after)]
  if (!from || !to) return `there is no ${from ? after : before}`
  const joined = reaches(from, to) || reaches(to, from) || meets(from, to) || meets(to, from)
  return joined ? undefined : `${before} does not lead to ${after}`
}

/** All faults of a walk. */
export const faultsOf = ({ paths }: Walk): string[] => paths.slice(1).flatMap((path, at) => faultOf(paths[at] ?? '', path) ?? [])
