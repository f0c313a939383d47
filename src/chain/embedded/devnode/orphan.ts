import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { z } from 'zod'
import { parseJson } from '../../../domain/json.ts'

const run = promisify(execFile)
const exitTimeoutMs = 5_000

/**
 * A path that names the data folder and the process of this service. anvil gets it on its command line and writes nothing
 * there. The next start therefore finds the process even if the service was killed early.
 */
export const toMark = (dir: string): string => `${markOf(dir)}${process.pid}`

const markOf = (dir: string) => join(dir, 'node-of-')

/**
 * Ends the anvil that a killed service left behind. A process counts as ours only when its command line names this folder.
 * Throws when its service is still alive, because two services must not share a chain.
 */
export const endOrphan = async (dir: string): Promise<void> => {
  for (const { pid, parent, owner } of await findNodes(dir)) {
    if (parent === owner) throw new Error(`The chain in ${dir} is in use by process ${owner}.`)
    await endProcess(pid, dir)
  }
}

const endProcess = async (pid: number, dir: string) => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself, or belongs to another user of this machine. The loop tells which.
  }
  const giveUp = AbortSignal.timeout(exitTimeoutMs)
  while ((await findNodes(dir)).some(it => it.pid === pid)) {
    if (giveUp.aborted) throw new Error(`Process ${pid} does not end.`)
    await delay(10)
  }
}

type Process = { pid: number; parent: number; command: string }
type Node = Pick<Process, 'pid' | 'parent'> & { owner: number }

const findNodes = async (dir: string): Promise<Node[]> => {
  const noted = await readNote(dir)
  return (await listProcesses()).flatMap(({ pid, parent, command }) => {
    const [before, after] = command.split(markOf(dir))
    const isNoted = pid === noted?.pid && command.includes(dir)
    const owner = isNoted ? noted.owner : Number.parseInt(after ?? '', 10)
    return before?.includes('anvil') && !Number.isNaN(owner) ? [{ pid, parent, owner }] : []
  })
}

const note = z.object({ pid: z.number(), owner: z.number() })

/** Releases before the marks on command lines noted their node in a file. */
const readNote = async (dir: string) =>
  note.safeParse(parseJson(await readFile(join(dir, 'anvil.pid'), 'utf8').catch(() => ''))).data

/** All processes, without zombies. */
const listProcesses = (): Promise<Process[]> => (process.platform === 'linux' ? listInProc() : listWithPs())

// Reads /proc, because slim images have no `ps`.
const listInProc = async (): Promise<Process[]> => {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name))
  return (await Promise.all(pids.map(readProcess))).flat()
}

const readProcess = async (pid: string): Promise<Process[]> => {
  const [stat, command] = await Promise.all(
    ['stat', 'cmdline'].map(name => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
  )
  const [, state = 'Z', parent] = /\) (\S) (\d+)/.exec(stat ?? '') ?? []
  return state === 'Z' ? [] : [{ pid: Number(pid), parent: Number(parent), command: command ?? '' }]
}

const listWithPs = async (): Promise<Process[]> => {
  const { stdout } = await run('ps', ['-axww', '-o', 'pid=,ppid=,stat=,args='], { maxBuffer: 2 ** 26 }).catch(() => ({
    stdout: '',
  }))
  const running = stdout.matchAll(/^\s*(\d+)\s+(\d+)\s+[^\sZ]\S*\s+(.*)$/gm)
  return [...running].map(([, pid, parent, command = '']) => ({ pid: Number(pid), parent: Number(parent), command }))
}
