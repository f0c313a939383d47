import { MemorySaver } from '@langchain/langgraph'
import { createButler } from '../../graphs/butler/advance.ts'
import type { ButlerDeps } from '../../graphs/butler/deps.ts'
import type { Market } from './planWorld.ts'

/** Ports that answer at once. */
const atOnce: readonly PropertyKey[] = ['servesChain', 'usdcDecimals'] satisfies (keyof ButlerDeps)[]

/** Ports of a process that is killed at its nth call, once: nothing that it does afterwards happens. */
const killedAt = (deps: ButlerDeps, most: number): { deps: ButlerDeps; isDead: () => boolean } => {
  let calls = 0
  const gone = () => new Error('the process was killed')
  const mortal = new Proxy(deps, {
    get(target, name, receiver) {
      const it: unknown = Reflect.get(target, name, receiver)
      if (typeof it !== 'function' || name === 'now') return it
      return (...args: unknown[]) => {
        calls += 1
        // Ports that read or write reject, as they do where the connection ends.
        if (calls > most && !atOnce.includes(name)) return Promise.reject(gone())
        if (calls > most) throw gone()
        const done: unknown = Reflect.apply(it, target, args)
        // Every other call is killed after its effect.
        if (calls < most || most % 2 !== 0) return done
        if (!(done instanceof Promise)) throw gone()
        return done.then(() => Promise.reject(gone()))
      }
    },
  })
  return { deps: mortal, isDead: () => calls >= most }
}

/**
 * Work on a market whose process is killed at its call `most`. From then on the next process works, once the lease of the dead
 * one has ended.
 */
export const workKilledAt = (market: Market, most: number) => {
  const saver = new MemorySaver()
  const { deps, isDead } = killedAt(market.butlerDeps, most)
  const mortal = createButler(deps, saver)
  const next = createButler(market.butlerDeps, saver)
  let isBuried = false
  const work = async () => {
    if (!isDead()) await market.work(mortal).catch(() => undefined)
    if (!isDead()) return
    if (!isBuried) market.clock.pass(61_000)
    isBuried = true
    await market.work(next)
  }
  return { work, isDead }
}
