import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/** The program that runs demo agents. */
export const demoProgram = join(import.meta.dirname, '../../docs/examples/agents/main.ts')

/** The entry file of the command line. */
export const main = join(import.meta.dirname, '../../src/main.ts')

type Started = {
  child: ChildProcess
  ended: Promise<{ code: number | null; out: string; err: string }>
}

/** Starts a command; `input` is its complete standard input. */
export const start = (
  args: string[],
  given: { env?: Record<string, string>; input?: string; ipc?: boolean; file?: string } = {},
): Started => {
  const child = spawn(process.execPath, [given.file ?? main, ...args], {
    env: { ...process.env, ...given.env },
    stdio: ['pipe', 'pipe', 'pipe', ...(given.ipc ? (['ipc'] as const) : [])],
  })
  const said = [child.stdout, child.stderr].map(stream => (stream ? text(stream) : ''))
  child.stdin?.end(given.input ?? '')
  // Waits for `exit`, because `close` is never emitted for a child whose IPC channel was cut.
  const ended = once(child, 'exit').then(async () => {
    const [out = '', err = ''] = await Promise.all(said)
    return { code: child.exitCode, out, err }
  })
  return { child, ended }
}

/** The ids of processes whose environment contains a text, read from /proc; undefined where /proc is unavailable. */
export const processesWith = (mark: string): number[] | undefined => {
  try {
    const all = readdirSync('/proc').flatMap(name => (/^\d+$/.test(name) ? [Number(name)] : []))
    return all.filter(pid => environmentOf(pid).includes(mark))
  } catch {
    return undefined
  }
}

const environmentOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    return '' // it has ended meanwhile
  }
}
