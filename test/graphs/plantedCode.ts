import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

export type Plant = { file: string; was: string; is: string }

/** A copy of the code, in which a test can plant a change before it runs the replay. */
export const copyCode = async () => {
  const copy = await mkdtemp(join(tmpdir(), 'marketplace-code-'))
  for (const it of ['graphs', 'src', 'prompts', 'package.json']) await cp(join(root, it), join(copy, it), { recursive: true })
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))

  /** Runs `npm run replay` of the copy. */
  const replay = (file: string) =>
    new Promise<{ code: number; out: string }>(resolve => {
      execFile(process.execPath, ['graphs/replay.ts', file], { cwd: copy }, (error, out, err) =>
        resolve({ code: Number(error?.code ?? 0), out: `${out}${err}` }),
      )
    })

  return {
    replay,
    /** Runs the replay with a change of the code, and takes the change back. */
    async replayWith({ file, was, is }: Plant, history: string) {
      const path = join(copy, file)
      const code = await readFile(path, 'utf8')
      if (!code.includes(was)) throw new Error(`${file} does not contain ${was}`)
      await writeFile(path, code.replace(was, is))
      const told = await replay(history)
      await writeFile(path, code)
      return told
    },
    remove: () => rm(copy, { recursive: true, force: true }),
  }
}
