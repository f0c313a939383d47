import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { readConfig } from '../../src/config.ts'
import { startService } from '../../src/service.ts'

// A service in a process of its own, which dies by kill -9 at the step that KILL_AT names, and tells its parent its address.
const { KILL_AT: killAt, READER_DIR: readerDir, AHEAD_MS: aheadMs = '0', ...env } = process.env

const dieAt = (step: string) => {
  if (step === killAt) process.kill(process.pid, 'SIGKILL')
}
type Work = (...given: never[]) => Promise<unknown>
/** Dies before the work, or when it is done. */
const mortal =
  <T extends Work>(name: string, work: T, isMeant: (...given: unknown[]) => boolean = () => true) =>
  async (...given: Parameters<T>) => {
    if (!isMeant(...given)) return work(...given)
    dieAt(`before ${name}`)
    const done = await work(...given)
    dieAt(`after ${name}`)
    return done
  }

const isOfFiles = (path: unknown) => /\/files\/(?:drafts|[0-9a-f]{2})\b/.test(String(path))
for (const name of ['mkdir', 'rename', 'open', 'rm'] as const)
  Object.assign(fs.promises, { [name]: mortal(name, fs.promises[name] as Work, isOfFiles) })
syncBuiltinESMExports()

const plainFetch = globalThis.fetch
globalThis.fetch = mortal('PUT', plainFetch as Work, it => it instanceof Request && it.method === 'PUT') as typeof fetch

const config = { ...readConfig({ PORT: '0', LOG_LEVEL: 'error', ...settingsIn(env) }), ...(readerDir && { readerDir }) }
const { url } = await startService({
  config,
  clock: { now: () => Date.now() + Number(aheadMs) },
  wrap: outside => {
    const store = { ...outside.store }
    for (const name of ['addFile', 'addUpload', 'addPart', 'endUpload'] as const)
      Object.assign(store, { [name]: mortal(name, outside.store[name] as Work) })
    return { ...outside, store }
  },
})
process.send?.(url)

/** The settings of the service in an environment, which has much else. */
function settingsIn(all: NodeJS.ProcessEnv) {
  return Object.fromEntries(
    Object.entries(all).filter(([name]) =>
      /^(DATA_DIR|MASTER_KEY|FILES_|AWS_|DATABASE_URL|RPC_URL|ESCROW|EVALUATOR|REGISTRY|USDC|MAX_FILE)/.test(name),
    ),
  )
}
