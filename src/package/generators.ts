import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const start = promisify(execFile)

export type Generators = {
  /** Temporary folder in which the generators are installed, and in which they run. */
  dir: string
  /** Runs a file of an installed package. @throws Error with the output of a program that fails */
  run(file: string, ...args: string[]): Promise<void>
  remove(): Promise<void>
}

/**
 * Installs the client generators of `generators/package.json` at the versions of its lock file. They are no dependencies of
 * the project, because they need an older TypeScript and are 56 MB large.
 * @throws Error when npm cannot install them
 */
export const installGenerators = async (): Promise<Generators> => {
  const dir = await mkdtemp(join(tmpdir(), 'marketplace-generators-'))
  const remove = () => rm(dir, { recursive: true, force: true })
  try {
    await cp(join(import.meta.dirname, 'generators'), dir, { recursive: true })
    await start('npm', ['ci', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: dir,
    })
  } catch (error) {
    await remove()
    throw error
  }
  const run = async (file: string, ...args: string[]) => {
    await start(process.execPath, [join(dir, 'node_modules', file), ...args], { cwd: dir })
  }
  return { dir, run, remove }
}

/** Generates the types of an API by openapi-typescript. `document` is a file or URL of an OpenAPI document. */
export const generateTypes = ({ run }: Generators, document: string, file: string): Promise<void> =>
  // A request may leave out what has a default.
  run('openapi-typescript/bin/cli.js', document, '--output', file, '--default-non-nullable', 'false')
