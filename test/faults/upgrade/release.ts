import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { additionsFrom } from '../../../src/store/schema/migration.ts'
import { migrations } from '../../../src/store/schema/schema.ts'
import { home } from '../life.ts'

const run = promisify(execFile)
const git = async (...of: string[]) => (await run('git', ['-C', home, ...of], { maxBuffer: 2 ** 26 })).stdout

/** An earlier commit in a folder of its own. `level`: its newest migration. */
export type Release = { commit: string; root: string; level: number; remove(): Promise<void> }

/** Migrations had another place before. */
const schemas = ['src/store/schema/schema.ts', 'src/store/schema.ts']

/** The migrations of a commit, each with its number and its name; a branch may have given another number at first. */
const migrationsOf = async (commit: string): Promise<string[]> => {
  for (const file of schemas) {
    const text = await git('show', `${commit}:${file}`).catch(() => '')
    const found = [...text.matchAll(/version: \d+, statements: \w*/g)].map(it => it[0])
    if (found.length > 0) return found
  }
  throw new Error(`${commit} is not a commit with migrations in the history of this folder. Use a whole clone of the repository.`)
}

const levelOf = (found: string[]): number => found.length
const level = migrations.length

/** The newest commit before this one with fewer migrations, all of them with the numbers of this one. */
export const predecessor = async (): Promise<string> => {
  const commits = (await git('log', '--format=%h', '--', ...schemas).catch(() => '')).split('\n').filter(Boolean)
  const known = new Set(await migrationsOf('HEAD').catch(() => []))
  for (const commit of commits) {
    const found = await migrationsOf(commit)
    if (levelOf(found) < level && found.every(it => known.has(it))) return commit
  }
  throw new Error('There is no earlier release in the history of this folder. Use a whole clone of the repository.')
}

/** Whether processes of a release go on beside this one, as its migrations say. */
export const canOverlap = (before: Release): boolean =>
  migrations.every(it => it.version <= before.level || it.isAddition === true)

/** Whether a process of a release starts on the schema of this one. Earlier releases do not know additions. */
export const canReturn = (before: Release): boolean => before.level >= additionsFrom && canOverlap(before)

/** Unpacks a commit into a temporary folder, with the packages that it needs: those of this folder, where they are the same. */
export const unpackRelease = async (commit: string): Promise<Release> => {
  const found = levelOf(await migrationsOf(commit))
  const root = await mkdtemp(join(tmpdir(), `marketplace-${commit}-`))
  const remove = () => rm(root, { recursive: true, force: true })
  try {
    await run('sh', ['-c', 'git -C "$1" archive "$2" | tar -x -C "$3"', 'sh', home, commit, root])
    if (await hasSamePackages(root)) await symlink(join(home, 'node_modules'), join(root, 'node_modules'))
    else await run('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root })
    return { commit, root, level: found, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

const wanted = z.object({ dependencies: z.record(z.string(), z.string()) })
const installed = z.object({ version: z.string() })

const hasSamePackages = async (root: string): Promise<boolean> => {
  const { dependencies } = wanted.parse(await readJson(join(root, 'package.json')))
  const same = Object.entries(dependencies).map(async ([name, version]) => {
    const found = installed.safeParse(await readJson(join(home, 'node_modules', name, 'package.json')).catch(() => undefined))
    return found.data?.version === version
  })
  return (await Promise.all(same)).every(Boolean)
}

const readJson = async (file: string): Promise<unknown> => JSON.parse(await readFile(file, 'utf8'))
