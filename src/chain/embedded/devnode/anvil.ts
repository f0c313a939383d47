import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { type Ask, createAsk } from './ask.ts'
import { notePid } from './orphan.ts'

/** A running anvil that answers. */
export type Anvil = {
  pid: number
  port: number
  ask: Ask
  /** Resolves when the process has ended, however it ended. */
  ended: Promise<void>
  /** Ends the process and waits for it. */
  end(): Promise<void>
}

export type AnvilOptions = {
  binary: string
  /** 0 takes a free one. */
  port: number
  chainId: number
  /** Directory of the data; stands on the command line so that an orphan can be told from other processes. */
  dir: string
  /** State file to begin with; without one the chain is new. */
  state?: string | undefined
  /** Time of block 0 of a new chain, in seconds. */
  timestamp?: number | undefined
}

/** A state of some hundred megabytes takes seconds to load. */
const bootMs = 60_000
const wordsKept = 2_000

/** Starts anvil on the loopback interface and waits until it answers. Rejects with its last words when it does not. */
export const startAnvil = async (options: AnvilOptions): Promise<Anvil> => {
  const child = await begin(options.binary, argumentsOf(options))
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  const end = () => endChild(child, ended)

  // A service that leaves without saying goodbye takes its chain along; only kill -9 leaves an orphan.
  const endAtExit = () => child.kill('SIGKILL')
  process.once('exit', endAtExit)
  void ended.then(() => process.removeListener('exit', endAtExit))

  try {
    // Before it answers: a service that is killed while a large state loads must find this process at its next start.
    await notePid(options.dir, child.pid ?? 0)
    const port = await listening(child, ended)
    const ask = createAsk(`http://127.0.0.1:${port}`)
    await ask('anvil_setLoggingEnabled', false)
    return { pid: child.pid ?? 0, port, ask, ended, end }
  } catch (error) {
    await end()
    throw error
  }
}

/** The anvil to run: the given path, else the installed platform package, else the one on PATH. */
export const findAnvil = (given?: string): string => given ?? packaged() ?? 'anvil'

// Base fee 0: a transaction signed once must be accepted again when it is replayed, whatever the load was. Blocks are
// mined on demand in order of arrival, and old states are not kept: only the newest one is ever read. A few are, because
// anvil looks up the state of "latest" by its number and fails when a block was mined in between.
const argumentsOf = ({ port, chainId, dir, state, timestamp }: AnvilOptions): string[] => [
  ...['--host', '127.0.0.1', '--port', `${port}`, '--chain-id', `${chainId}`],
  ...['--no-mining', '--order', 'fifo', '--base-fee', '0', '--prune-history', '16'],
  ...['--accounts', '0', '--no-cors', '--no-request-size-limit', '--cache-path', dir],
  ...(state === undefined ? [] : ['--load-state', state]),
  ...(timestamp === undefined ? [] : ['--timestamp', `${timestamp}`]),
]

// The process itself says where it listens: an answer on a port could come from somebody else.
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
      `No anvil for ${process.platform} ${process.arch} (${binary} does not run): the embedded chain cannot be here. ` +
        'Install Foundry, or set RPC_URL_97 to the address of a BSC testnet node.',
    )
  })
  return child
}
