import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { secondMs } from '../../domain/durations.ts'
import { limits } from '../../domain/limits.ts'

/** Maximum characters of a program's error output that are kept, from its end, and of its last line, which the buyer reads. */
const keptChars = 10_000
const reasonChars = 300
/** Time between the request to end and the end by force, in ms. */
const graceMs = 5 * secondMs

/** Whether a program is a file that may be started, by its path or in a folder of `PATH`. On Windows it is not looked for. */
export const isRunnable = async (program: string, path = ''): Promise<boolean> => {
  if (process.platform === 'win32') return true
  const places = program.includes('/') ? [program] : path.split(delimiter).map(it => join(it, program))
  const found = await Promise.all(
    places.map(it =>
      access(it, constants.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  )
  return program !== '' && found.includes(true)
}

type Run = {
  args: string[]
  env: Record<string, string>
  input: string | Uint8Array
  signal: AbortSignal
  /** The most bytes that it may print. */
  mostBytes?: number
}

/**
 * Runs programs without a shell, each in a process group of its own, so that the programs it starts end with it.
 * @param killAfterMs time from SIGTERM to SIGKILL
 */
export const createPrograms = (killAfterMs: number = graceMs) => {
  const running = new Set<ChildProcess>()
  const ending = new Set<ChildProcess>()
  const end = async (child: ChildProcess) => {
    if (!running.has(child) || ending.has(child)) return
    ending.add(child)
    signalGroup(child, 'SIGTERM')
    await once(child, 'close', { signal: AbortSignal.timeout(killAfterMs) }).catch(() => undefined)
    signalGroup(child, 'SIGKILL')
    ending.delete(child)
    running.delete(child)
  }
  // A terminal's Ctrl-C does not reach another process group.
  const kill = () => {
    for (const child of running) signalGroup(child, 'SIGKILL')
  }
  process.on('exit', kill)
  return {
    /**
     * Runs a program to its end, and returns its standard output. It is ended when the signal aborts.
     * @throws Error with the last line of its error output when it fails. All of it goes to the error output of this process:
     *   it may name folders and settings of the seller
     */
    async run(program: string, { args, env, input, signal, mostBytes = limits.deliverableBytes }: Run): Promise<Buffer> {
      signal.throwIfAborted()
      // A detached process leads a group of its own.
      const child = spawn(program, args, { env, stdio: 'pipe', shell: false, detached: true })
      running.add(child)
      const out: Buffer[] = []
      const said = { bytes: 0, err: '' }
      child.stdout.on('data', (chunk: Buffer) => {
        said.bytes += chunk.length
        if (said.bytes > mostBytes) return void end(child)
        out.push(chunk)
      })
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
        said.err = (said.err + chunk).slice(-keptChars)
      })
      // A program that does not read its input closes the pipe early, which is no error.
      child.stdin.on('error', () => undefined)
      child.stdin.end(input)
      const [code] = await once(child, 'close', { signal }).catch((error: unknown) => {
        void end(child)
        throw error
      })
      if (!ending.has(child)) running.delete(child)
      if (said.bytes > mostBytes) throw new Error('The program wrote more than a deliverable may have.')
      if (code !== 0) throw toFailure(said.err.trim(), code)
      return Buffer.concat(out)
    },
    /** Ends the programs that still run. */
    async close() {
      await Promise.all([...running].map(end))
      process.off('exit', kill)
    },
  }
}

const toFailure = (said: string, code: unknown): Error => {
  if (said !== '') process.stderr.write(`${said}\n`)
  const [last = ''] = said.split('\n').slice(-1)
  return new Error(last.trim().slice(0, reasonChars) || `The program ended with code ${code}.`)
}

const signalGroup = ({ pid }: ChildProcess, signal: 'SIGTERM' | 'SIGKILL') => {
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal)
  } catch {
    // No process of the group is left.
  }
}
