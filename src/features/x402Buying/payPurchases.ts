import { minuteMs, secondMs } from '../../domain/durations.ts'
import { limits } from '../../domain/limits.ts'
import type { Deps } from '../../operations/operation.ts'
import type { Purchase } from '../../ports.ts'
import { createCrew } from '../../workers/crew.ts'
import type { Worker } from '../../workers/loop.ts'
import { followPurchase } from './followPurchase.ts'
import { purchasesOf } from './ports.ts'

type Reach = Pick<Deps, 'store' | 'chains' | 'clock' | 'resources' | 'wakeups'>

/** Maximum of concurrent checks in total and for one user, because a seller may answer slowly. */
const atOnce = 32
const atOnceOfUser = 4
/** How often a process looks for due purchases in ms: while it follows one, and otherwise. */
const [followingMs, idleMs] = [250, 1_000]
/** A process follows a purchase for this long after its last check of one, in ms. Most are paid by then. */
const lingerMs = 10_000
/** Pause of a purchase whose check failed here, in ms. Such a check asked the seller nothing and is no try. */
const afterFailureMs = 5 * secondMs
/** The number of due purchases that are read at once, from which the next ones are chosen. */
const pageRows = 500

/** Pays the purchases that users consented to, and follows them until the token has moved the money or no longer can. */
export const payPurchases = (deps: Reach): Worker => {
  const crew = createCrew<Purchase>(() => deps.wakeups.notify('purchases'))
  let startedAt = Number.NEGATIVE_INFINITY
  const startIfFree = (due: Purchase) => {
    const running = crew.busy()
    if (running.length >= atOnce || running.some(it => it.id === due.id)) return
    if (running.filter(it => it.user === due.user).length >= atOnceOfUser) return
    startedAt = performance.now()
    crew.start(due, ending => followIfLeased(deps, due, ending))
  }
  return {
    name: 'payPurchases',
    channel: 'purchases',
    get idleMs() {
      return performance.now() - startedAt < lingerMs ? followingMs : idleMs
    },
    async runOnce() {
      if (crew.busy().length >= atOnce) return false
      for (const it of await purchasesOf(deps.store).duePurchases(pageRows)) startIfFree(it)
      crew.check()
      return false
    },
    settle: crew.settle,
  }
}

/** Leases a due purchase and checks it once, unless another process has it. After a check that failed, it is checked again. */
export const followIfLeased = async (
  deps: Omit<Reach, 'wakeups'>,
  { id }: Pick<Purchase, 'id'>,
  signal: AbortSignal,
): Promise<void> => {
  const table = purchasesOf(deps.store)
  const leased = await table.leasePurchase(id)
  if (!leased) return
  await followPurchase(deps, leased, signal).catch(async (error: unknown) => {
    await table.postponePurchase(id, { inMs: afterFailureMs, tries: leased.tries - 1 })
    throw error
  })
}

export const sweepAnswers = ({ store }: Pick<Deps, 'store'>): Worker => ({
  name: 'sweepAnswers',
  channel: 'deadlines',
  idleMs: minuteMs,
  runOnce: () => purchasesOf(store).sweepAnswers(limits.resourceKeepMs),
})
