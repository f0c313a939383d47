import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { minuteMs } from '../../../domain/durations.ts'
import { type Ask, createAsk } from './ask.ts'
import { toMark } from './orphan.ts'

export type Anvil = {
  pid: number
  port: number
  ask: Ask
  /** Resolves when the process has ended, however it ended. */
  ended: Promise<void>
  end(): Promise<void>
}

export type AnvilOptions = {
  binary: string
  /** The port to listen on; 0 for any free one. */
  port: number
  chainId: number
  /** The data folder. It is on the command line, so that the next start finds a process that outlived its service. */
  dir: string
  /** State file to load; without one the chain is new. */
  state?: string | undefined
  /** Time of block 0 of a new chain, in seconds. */
  timestamp?: number | undefined
}

/** Loading a state of several hundred megabytes takes seconds. */
const bootMs = minuteMs
const wordsKept = 2_000

/** Starts anvil on the loopback interface and waits until it answers. Rejects with its last output when it does not. */
export const startAnvil = async (options: AnvilOptions): Promise<Anvil> => {
  const child = await begin(options.binary, argumentsOf(options))
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  const end = () => endChild(child, ended)

  // When the service exits, its chain ends too. Only `kill -9` leaves an orphan.
  const endAtExit = () => child.kill('SIGKILL')
  process.once('exit', endAtExit)
  void ended.then(() => process.removeListener('exit', endAtExit))

  try {
    const port = await listening(child, ended)
    const ask = createAsk(`http://127.0.0.1:${port}`)
    await ask('anvil_setLoggingEnabled', false)
    return { pid: child.pid ?? 0, port, ask, ended, end }
  } catch (error) {
    await end()
    throw error
  }
}

/** Finds anvil: the given path, else the installed platform package, else `anvil` on the PATH. */
export const findAnvil = (given?: string): string => given ?? packaged() ?? 'anvil'

// The base fee is 0, so that a transaction signed once is accepted again in a replay. Blocks are mined on demand in order of
// arrival. Only a few old states are kept, because only the newest is read. anvil resolves "latest" by number and fails when a
// block was mined in between.
const argumentsOf = ({ port, chainId, dir, state, timestamp }: AnvilOptions): string[] => [
  ...['--host', '127.0.0.1', '--port', `${port}`, '--chain-id', `${chainId}`],
  ...['--no-mining', '--order', 'fifo', '--base-fee', '0', '--prune-history', '16'],
  ...['--accounts', '0', '--no-cors', '--no-request-size-limit', '--cache-path', toMark(dir)],
  ...(state === undefined ? [] : ['--load-state', state]),
  ...(timestamp === undefined ? [] : ['--timestamp', `${timestamp}`]),
]

// The port is read from the process's own output, because another process could answer on a known port.
const listening = async ({ stdout, stderr }: Child, ended: Promise<void>): Promise<number> => {
  let words = ''
  const heard = new Promise<number>(resolve => {
    const listen = (chunk: Buffer) => {
      words = (words + chunk).slice(-wordsKept)
      const [, port] = /Listening on 127\.0\.0\.1:(\d+)/.exec(words) ?? []
      if (port !== undefined) resolve(Number(port))
    }
    stdout.on('data', listen)
    stderr.on('data', listen)
  })
  const silence = new AbortController()
  const late = delay(bootMs, undefined, { signal: silence.signal }).catch(() => undefined)
  const port = await Promise.race([heard, ended, late])
  silence.abort()
  if (port === undefined) throw new Error(`anvil did not start: ${words.trim() || 'no reason given'}`)
  return port
}

const endChild = async (child: Child, ended: Promise<void>) => {
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), 2_000)
  await ended
  clearTimeout(force)
}

const packaged = (): string | undefined => {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  try {
    return createRequire(import.meta.url).resolve(`@foundry-rs/anvil-${process.platform}-${arch}/bin/anvil`)
  } catch {
    return undefined
  }
}

type Child = ChildProcessByStdio<null, Readable, Readable>

const begin = async (binary: string, options: string[]): Promise<Child> => {
  const child = spawn(binary, options, { stdio: ['ignore', 'pipe', 'pipe'] })
  await once(child, 'spawn').catch(() => {
    throw new Error(
      `No anvil for ${process.platform} ${process.arch} (${binary} does not run): the embedded chain cannot run here. ` +
        'Install Foundry, or set RPC_URL_97 to the address of a BSC testnet node.',
    )
  })
  return child
}
