import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import { endOrphan } from '../../src/chain/devnode/orphan.ts'
import type { CrashAt } from './crash.ts'
import { beginLife } from './life.ts'
import { rhymer } from './provider.ts'
import { openUser } from './user.ts'

type Cleanup = (work: () => Promise<void>) => void

/** A service in a process that dies, with an agent and a user that live on. Leaves nothing behind, however far it came. */
export const openMarket = async (whenFinished: Cleanup, crash?: CrashAt) => {
  const dir = await mkdtemp(join(tmpdir(), 'marketplace-fault-'))
  let current = beginLife({ dir, port: 0, crash })
  let aheadMs = 0
  whenFinished(async () => {
    current.stop()
    await current.ended
    await endOrphan(join(dir, 'chain'))
    await rm(dir, { recursive: true, force: true })
  })
  const url = await current.url
  if (!url) throw new Error(`no service: ${await current.words}`)
  const agent = await rhymer(url).start()
  whenFinished(agent.stop)

  return {
    dir,
    user: await openUser({ url, dir }),
    kill: () => current.kill(),

    /** Waits until the process was killed, and starts the next one on the same data and address. */
    async restart(next?: CrashAt) {
      expect(await current.ended, await current.words).toEqual({ code: null, signal: 'SIGKILL' })
      // An agent that was never told of a job it holds is noticed when its lease is over: the test does not wait for that.
      aheadMs = Math.max(aheadMs, lastLease(dir) - Date.now())
      current = beginLife({ dir, port: Number(new URL(url).port), aheadMs, crash: next })
      return current
    },

    /** Ends the service as an operator does. */
    async stop() {
      await agent.stop()
      current.stop()
      return { ...(await current.ended), words: await current.words }
    },
  }
}

/** The end of the leases that are out, in epoch ms; 0 when none is. */
const lastLease = (dir: string): number => {
  const file = new DatabaseSync(join(dir, 'market.db'), { readOnly: true })
  const row = file.prepare('select max(lease_until) as until from job').get()
  file.close()
  return Number(row?.until ?? 0)
}
