import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { crashAt, type Effect } from './crash.ts'

/** One process of a service, from start to end. */
export const life = z.object({
  dir: z.string(),
  /** 0 chooses a free port. */
  port: z.number(),
  /** Offset of its clock ahead of the machine's clock, in ms. */
  aheadMs: z.number().default(0),
  /** Offset of the clock of its machine and of its chain, in ms. */
  machineAheadMs: z.number().default(0),
  /** When it kills itself or its chain. */
  crashes: z.array(crashAt).default([]),
  /** Further environment variables. */
  env: z.record(z.string(), z.string()).default({}),
})

export type Life = ReturnType<typeof beginLife>

/** The folder of this release. */
export const home = fileURLToPath(new URL('../../', import.meta.url))

/** @param root the folder of the release that runs; this one when absent */
export const beginLife = (of: z.input<typeof life>, root = home) => {
  const own = new URL('serviceProcess.ts', import.meta.url)
  const main = join(root, relative(home, fileURLToPath(own)))
  const child = spawn(process.execPath, [main, JSON.stringify(of)], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Compiled code is cached for the next process, because loading the program takes most of a start.
    env: { ...process.env, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'node-compile-cache') },
  })
  const begunAt = performance.now()
  if (!child.stdout || !child.stderr) throw new Error('a child process without output')
  const words = text(child.stderr)
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }))
  const address = Promise.withResolvers<string>()
  let said = ''
  child.stdout.setEncoding('utf8').on('data', chunk => {
    said += chunk
    const [url] = /^http:.*(?=\n)/m.exec(said) ?? []
    if (url) address.resolve(url)
  })
  return {
    begunAt,
    pid: child.pid ?? 0,
    /** Its URL, once it serves; undefined when it ended before. */
    url: Promise.race([address.promise, ended.then(() => undefined)]),
    /** The progress messages of its start. */
    said: () => said.trim().replaceAll('\n', ', '),
    ended,
    /** The text on standard error, once it has ended. */
    words,
    /** Lets it die after an effect. */
    dieAfter: (effect: Effect) => child.send(effect),
    kill: () => child.kill('SIGKILL'),
    stop: () => child.kill('SIGTERM'),
  }
}
