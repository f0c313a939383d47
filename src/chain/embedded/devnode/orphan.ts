import { execFile } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { z } from 'zod'
import { parseJson } from '../../../domain/json.ts'

const run = promisify(execFile)
const note = z.object({ pid: z.number().int(), owner: z.number().int() })
const deathMs = 5_000

const pathIn = (dir: string) => join(dir, 'anvil.pid')

/** Records which process serves the chain of this folder, for the next start. */
export const notePid = (dir: string, pid: number): Promise<void> =>
  writeFile(pathIn(dir), JSON.stringify({ pid, owner: process.pid } satisfies z.infer<typeof note>))

export const forgetPid = (dir: string): Promise<void> => rm(pathIn(dir), { force: true })

/**
 * Ends the anvil that a killed service left behind. A process counts as ours only when its command line names this folder.
 * Throws when its service is still alive, because two services must not share a chain.
 */
export const endOrphan = async (dir: string): Promise<void> => {
  const noted = note.safeParse(parseJson(await readFile(pathIn(dir), 'utf8').catch(() => ''))).data
  if (!noted) return
  const found = await look(noted.pid)
  if (found?.command.includes('anvil') && found.command.includes(dir)) {
    if (found.parent === noted.owner) throw new Error(`The chain in ${dir} is in use by process ${noted.owner}.`)
    await endProcess(noted.pid)
  }
  await forgetPid(dir)
}

const endProcess = async (pid: number) => {
  process.kill(pid, 'SIGKILL')
  const giveUp = AbortSignal.timeout(deathMs)
  while (await look(pid)) {
    if (giveUp.aborted) throw new Error(`Process ${pid} does not end.`)
    await delay(10)
  }
}

type Process = { parent: number; command: string }

/** Parent and command line of a process; undefined when it does not exist or is a zombie. */
const look = (pid: number): Promise<Process | undefined> => (process.platform === 'linux' ? lookInProc(pid) : lookWithPs(pid))

// Reads /proc, because slim images have no `ps`.
const lookInProc = async (pid: number): Promise<Process | undefined> => {
  const [stat, command] = await Promise.all(
    ['stat', 'cmdline'].map(name => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
  )
  const [, state = 'Z', parent] = /\) (\S) (\d+)/.exec(stat ?? '') ?? []
  return state === 'Z' ? undefined : { parent: Number(parent), command: command ?? '' }
}

const lookWithPs = async (pid: number): Promise<Process | undefined> => {
  const { stdout } = await run('ps', ['-ww', '-o', 'ppid=,stat=,args=', '-p', `${pid}`]).catch(() => ({ stdout: '' }))
  const [, parent, state = 'Z', command = ''] = /^\s*(\d+)\s+(\S+)\s+(.*)$/m.exec(stdout) ?? []
  return state.startsWith('Z') ? undefined : { parent: Number(parent), command }
}
