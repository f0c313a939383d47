import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Problem } from '../../domain/problem.ts'
import { beginLife, type LifeOptions } from './devnode/life.ts'
import { forgetPid } from './devnode/orphan.ts'

export type DevnodeOptions = Omit<LifeOptions, 'port'> & { port?: number }

export type Devnode = {
  rpcUrl: string
  /** The process that runs now; it changes when the chain had to be started again. */
  pid(): number
  /** Resolves when the chain is there. Rejects with Problem chain-unavailable after stop, or when it stays away. */
  ready(): Promise<void>
  /** Something was sent: mine it soon. */
  poke(): void
  /** Writes the whole state to disk. */
  checkpoint(): Promise<void>
  /** Writes a last checkpoint and ends the process. */
  stop(): Promise<void>
}

/** Between two tries to bring back a chain that does not start. */
const retryMs = 1_000

/**
 * The embedded chain: anvil on the loopback interface with its own miner and checkpoints. Whatever ends the process, it is
 * started again from the newest whole checkpoint and the journal: same block numbers, transaction hashes and job ids, new
 * block hashes, so that it looks like a reorganisation. Rejects when the first start fails.
 */
export const startDevnode = async (options: DevnodeOptions): Promise<Devnode> => {
  const dir = resolve(options.dir)
  let isStopped = false
  let life = await beginLife({ ...options, dir, port: options.port ?? 0 })
  // Who holds the address must find the chain there again.
  const { port } = life
  let living = Promise.resolve()

  const watch = () =>
    void life.ended.then(() => {
      if (!isStopped) living = revive()
    })
  const revive = async () => {
    await life.end()
    while (!isStopped) {
      const next = await beginLife({ ...options, dir, port }).catch(() => delay(retryMs))
      if (!next) continue
      life = next
      return watch()
    }
  }
  watch()

  return {
    rpcUrl: `http://127.0.0.1:${port}`,
    pid: () => life.pid,
    async ready() {
      await living
      if (isStopped) throw new Problem('chain-unavailable')
    },
    poke: () => life.poke(),
    checkpoint: () => life.checkpoint(),
    async stop() {
      isStopped = true
      await living
      await life.checkpoint().catch(() => undefined)
      await life.end()
      await forgetPid(dir)
    },
  }
}
