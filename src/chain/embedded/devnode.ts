import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Problem } from '../../domain/problem.ts'
import { beginLife, type LifeOptions } from './devnode/life.ts'

export type DevnodeOptions = Omit<LifeOptions, 'port'> & { port?: number }

export type Devnode = {
  rpcUrl: string
  /** The id of the current process. It changes when the chain was restarted. */
  pid(): number
  /** Resolves when the chain answers. Rejects with Problem chain-unavailable after stop, or when the chain does not come back. */
  ready(): Promise<void>
  /** Tells the miner that a transaction was sent. */
  poke(): void
  /** Writes the whole state to disk. */
  checkpoint(): Promise<void>
  /** Writes a last checkpoint and ends the process. */
  stop(): Promise<void>
}

/** Pause between attempts to restart a chain that does not start, in ms. */
const retryMs = 1_000

/**
 * Starts the embedded chain: anvil on the loopback interface with its own miner and checkpoints. When its process ends, the
 * chain restarts from the newest complete checkpoint and the journal. Block numbers, transaction hashes and job ids stay the
 * same and block hashes change, so a restart looks like a reorganisation. Rejects when the first start fails.
 */
export const startDevnode = async (options: DevnodeOptions): Promise<Devnode> => {
  const dir = resolve(options.dir)
  let isStopped = false
  let life = await beginLife({ ...options, dir, port: options.port ?? 0 })
  // Clients keep the address, so a restarted chain must listen on the same port.
  const { port } = life
  let starting = Promise.resolve()

  const watch = () =>
    void life.ended.then(() => {
      if (!isStopped) starting = revive()
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
      await starting
      if (isStopped) throw new Problem('chain-unavailable')
    },
    poke: () => life.poke(),
    checkpoint: () => life.checkpoint(),
    async stop() {
      isStopped = true
      await starting
      await life.checkpoint().catch(() => undefined)
      await life.end()
    },
  }
}
