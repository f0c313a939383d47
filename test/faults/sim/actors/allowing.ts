import { createMandate } from '../../../../src/operations/mandates/createMandate.ts'
import { revokeMandate } from '../../../../src/operations/mandates/mandates.ts'
import { mandateRecord } from '../../../../src/records/mandate.ts'
import { textOf } from '../books.ts'
import { usdcDecimals } from '../chain/port.ts'
import type { Random } from '../random.ts'
import type { Acting } from './talks.ts'
import { themes } from './themes.ts'

/** Sets a mandate, or revokes one while hires may be running under it. */
export const speakOfMandates = async (at: Acting): Promise<void> => {
  const { user, random, world } = at
  const [held] = user.mandates ?? []
  if (user.talks.some(it => !it.isOver)) world.ground.faults.note(77, held ? 'mandate revoked' : 'mandate set')
  if (held !== undefined && random.chance(0.8)) return revoke(at, held)
  return allow(at)
}

const allow = async ({ world, user, random }: Acting) => {
  const { maxPerJob, maxPerPeriod, askAbove, categories } = wishOf(random, user.planning ? planAmounts : hireAmounts)
  const expiresAt = world.ground.time.clock.now() + random.pick([60_000, 600_000, 86_400_000, 86_400_000])
  const amounts = { maxPerJob: toAtomic(maxPerJob), maxPerPeriod: toAtomic(maxPerPeriod), askAbove: toAtomic(askAbove) }
  const named = JSON.stringify(categories.map(it => it.toLowerCase()))
  world.log.allowed.push({ user: user.wallet, ...amounts, categories: named, expiresAt })
  const limits = { max_per_job: maxPerJob, max_per_period: maxPerPeriod, ask_above: askAbove, categories, period: 'day' }
  const input = { chain_id: 97, ...limits, expires_at: new Date(expiresAt).toISOString() }
  const task = world.ask({
    operation: createMandate,
    input,
    wallet: user.wallet,
    heard: answer => 'value' in answer && user.mandates?.unshift(mandateRecord.parse(answer.value).mandate_id),
  })
  await world.go(task)
}

/** Prices are 0.05, 0.5 and 1.5. Some mandates cover one hire, some a few, and most do not cover the expensive ones. */
const hireAmounts = [0.05, 0.12, 1.6, 2, 3.2]
const planAmounts = [0.12, 1.6, 3.2, 6, 12]
const wishOf = (random: Random, amounts: number[]) => {
  const maxPerPeriod = random.pick(amounts)
  const maxPerJob = random.pick([maxPerPeriod, Math.min(maxPerPeriod, 1.5)])
  const askAbove = random.pick([maxPerJob, maxPerJob, maxPerJob, Math.min(maxPerJob, 0.5)])
  const categories = random.pick([[], [], [], [random.pick(themes).name]])
  return { maxPerPeriod, maxPerJob, askAbove, categories }
}

/** Jobs of hires under a mandate, and of the steps of plans under it. */
const underMandate = `select id from job where mandate_id = ? union select j.id from job j
  join plan_step s on s.run_id = j.run_id join plan p on p.run_id = s.plan_id where p.mandate_id = ?`

const toAtomic = (usdc: number) => String(Math.round(usdc * 10 ** usdcDecimals))

const revoke = async ({ world, user }: Acting, id: string) => {
  const task = world.ask({
    operation: revokeMandate,
    input: { mandate_id: id },
    wallet: user.wallet,
    heard(answer) {
      if (!('value' in answer)) return
      user.mandates = user.mandates?.filter(it => it !== id)
      const opened = world.books.all(underMandate, id, id)
      if (!world.log.revoked.has(id)) world.log.revoked.set(id, new Set(opened.map(it => textOf(it.id))))
    },
  })
  await world.go(task)
}
