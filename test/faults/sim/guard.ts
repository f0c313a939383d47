import type { Store, Tables } from '../../../src/ports.ts'
import type { Form, PortName, Site } from './faultTable.ts'
import type { Ground } from './ground.ts'
import type { Life } from './life.ts'
import { asTask, currentTask, noteActivity } from './tasks.ts'

/** The process ended inside a transaction, which must be rolled back. */
class Gone extends Error {}

type Guarding = { ground: Ground; life: Life }

/** Wraps a port so that its calls can have faults. Plain values and pure encoders pass unchanged. */
export const guard = <T extends object>(port: T, name: PortName, at: Guarding): T =>
  new Proxy(port, {
    get(target, member) {
      const it: unknown = Reflect.get(target, member)
      if (typeof it !== 'function' || typeof member !== 'string' || passing.has(member)) return it
      const site = { port: name, name: member }
      return (...args: unknown[]) => cross(at, site, async () => it(...args))
    },
  })

const passing = new Set(
  `transfer submit complete completeUsed reject claimRefund giveFeedback topUp faucet close launch payCreatorFees purchaseNonce approve`.split(
    ' ',
  ),
)

/** As `guard`, also for the calls inside transactions. */
export const guardStore = (store: Store, at: Guarding): Store => ({
  ...guard(store, 'store', at),
  async atomically(work) {
    // Transactions that share a commit run one after the other within the first one's task.
    const task = currentTask()
    let isSigned = false
    const noting = (tables: Tables): Tables => ({
      ...tables,
      recordSigned(...of) {
        isSigned = true
        return tables.recordSigned(...of)
      },
    })
    const written = await cross(at, { port: 'store', name: 'atomically' }, () =>
      store.atomically(tables => asTask(task, () => work(guard<Tables>(noting(tables), 'tables', at)))),
    )
    // A separate place for faults: after signed bytes were stored and before they are sent.
    return isSigned ? cross(at, { port: 'store', name: 'recordSigned' }, async () => written) : written
  },
})

const never = <T>(): Promise<T> => new Promise(() => {})

const gone = <T>({ port }: Site): Promise<T> => {
  if (port === 'tables') throw new Gone()
  return never()
}

const cross = async <T>(at: Guarding, site: Site, run: () => Promise<T>): Promise<T> => {
  noteActivity()
  const task = currentTask()
  if (task?.isFrozen && site.port !== 'tables') await at.life.park(task, 0)
  if (at.life.isOver) return gone(site)
  try {
    const fault = at.ground.faults.deal(site)
    const answer = fault ? await suffer(at, { site, form: fault.form, run }) : await run()
    noteActivity()
    return at.life.isOver ? await gone(site) : answer
  } catch (error) {
    noteActivity()
    if (at.life.isOver) return gone(site)
    throw error
  }
}

type Suffering<T> = { site: Site; form: Form; run: () => Promise<T> }

const suffer = async <T>(at: Guarding, { site, form, run }: Suffering<T>): Promise<T> => {
  const { ground, life } = at
  const task = currentTask()
  if (form.do === 'freeze') {
    if (task) await life.freeze(task)
    return life.isOver ? gone(site) : run()
  }
  if (form.do === 'slow') {
    ground.time.advance(form.ms)
    return run()
  }
  if (form.do === 'twice') await run()
  if (form.do === 'twice') return run()
  if (form.do === 'lie') {
    const lied: unknown = form.lie(await run(), { random: ground.random, hidden: ground.hidden() })
    return lied as T // a liar keeps to the shape of the port, not to its types
  }
  if (form.side === 'before') await befall(at, form, site)
  if (life.isOver) return gone(site)
  const answer = await run()
  if (form.side === 'after') await befall(at, form, site)
  return answer
}

type Sided = Extract<Form, { side: string }>

const befall = async ({ life }: Guarding, form: Sided, site: Site) => {
  const task = currentTask()
  if (form.do === 'fail') throw form.error()
  if (form.do === 'wait') {
    if (task) await life.park(task, 0)
    return
  }
  life.end(form.do === 'die' ? 'killed' : 'power lost')
  await gone(site)
}
