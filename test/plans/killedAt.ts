import type { ButlerDeps } from '../../graphs/butler/deps.ts'

/** Ports of a process that is killed at its nth call, once: nothing that it does afterwards happens. */
export const killedAt = (deps: ButlerDeps, most: number): { deps: ButlerDeps; isDead: () => boolean } => {
  let calls = 0
  const gone = () => new Error('the process was killed')
  const mortal = new Proxy(deps, {
    get(target, name, receiver) {
      const it: unknown = Reflect.get(target, name, receiver)
      if (typeof it !== 'function' || name === 'now') return it
      return (...args: unknown[]) => {
        calls += 1
        if (calls > most) throw gone()
        const done: unknown = Reflect.apply(it, target, args)
        // Every other call is killed after its effect.
        return calls === most && most % 2 === 0 ? Promise.resolve(done).then(() => Promise.reject(gone())) : done
      }
    },
  })
  return { deps: mortal, isDead: () => calls >= most }
}
