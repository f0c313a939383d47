import { z } from 'zod'
import { address } from '../../../../src/domain/hex.ts'
import { formatUsdc } from '../../../../src/domain/money/money.ts'
import { readRun } from '../../../../src/operations/runs/readRun.ts'
import { runRecord } from '../../../../src/records/run.ts'
import { textOf } from '../books.ts'
import { usdcDecimals } from '../chain/port.ts'
import type { Answer, World } from '../world.ts'
import { fundedByKey } from './money.ts'
import { type PlanRow, readPlans } from './plans.ts'
import { unless } from './unless.ts'

const overStates = ['settled', 'refunded', 'cancelled']

/** I3, when idle: no plan runs for ever, each step of an ended one is over, and its mandate has back what was not spent. */
export const checkPlansEnded = ({ books, log }: World): string[] =>
  readPlans(books).flatMap(plan => [
    ...unless(plan.state !== 'running', `I3 plan ${plan.run_id} still runs`),
    ...unless(
      plan.state !== 'proposed' || plan.run_state !== 'completed',
      `I3 plan ${plan.run_id} waits for a yes, and its run has ended`,
    ),
    ...(plan.state === 'ended' ? checkEnded(plan) : []),
    ...(plan.state === 'ended' && log.reorgs === 0 ? checkDrawing(plan, books) : []),
  ])

const checkEnded = ({ run_id, terms, attempts, run_state }: PlanRow): string[] => [
  ...unless(run_state === 'completed', `I3 plan ${run_id} has ended, and its run is ${run_state}`),
  ...terms.steps.flatMap(({ number }) => {
    const own = attempts.filter(it => it.number === number)
    const isOver = own.length > 0 && own.every(it => it.job_state === undefined || overStates.includes(it.job_state))
    return unless(isOver, `I3 plan ${run_id} has ended, and step ${number} has not`)
  }),
]

const checkDrawing = ({ run_id, mandate_id, attempts }: PlanRow, books: World['books']): string[] => {
  if (mandate_id === undefined) return []
  const paid = attempts.filter(it => it.job_state === 'settled').reduce((sum, it) => sum + (it.budget ?? 0n), 0n)
  const [drawn] = books.all('select amount from mandate_drawing where run_id = ? and mandate_id = ?', run_id, mandate_id)
  return unless(textOf(drawn?.amount) === String(paid), `I6 plan ${run_id} spent ${paid}, its mandate says ${drawn?.amount}`)
}

type OnChain = { paid: bigint; refunded: bigint }

/** What the chain did with the escrows of a plan. */
const onChain = (world: World, { attempts }: PlanRow): OnChain => {
  const funded = fundedByKey(world)
  const jobs = attempts.flatMap(it => (it.job === undefined ? [] : (funded.get(it.job) ?? [])))
  const sumOf = (...states: string[]) => jobs.filter(it => states.includes(it.status)).reduce((sum, it) => sum + it.budget, 0n)
  const unused = jobs.reduce((sum, it) => sum + (it.used === undefined ? 0n : it.budget - it.used), 0n)
  return { paid: sumOf('completed') - unused, refunded: sumOf('rejected', 'expired') + unused }
}

const billed = z.object({ paid: z.string(), refunded: z.string() })
const say = (amount: bigint) => formatUsdc(amount, usdcDecimals)

/** I16, when idle: the bill of a plan, as its user reads it, is what the chain did. */
export const checkBills = async (world: World): Promise<string[]> => {
  const wrong: string[] = []
  for (const plan of readPlans(world.books).filter(it => it.agreed_at !== undefined)) {
    const chain = onChain(world, plan)
    wrong.push(...checkLog(world, plan, chain))
    const heard = (answer: Answer) => {
      const told = 'value' in answer ? runRecord.safeParse(answer.value).data?.plan : undefined
      if (!told) return void wrong.push(`I16 plan ${plan.run_id} cannot be read: ${JSON.stringify(answer).slice(0, 200)}`)
      const isTrue =
        told.paid === say(chain.paid) && told.refunded === say(chain.refunded) && told.unspent === say(plan.total - chain.paid)
      wrong.push(
        ...unless(isTrue, `I16 plan ${plan.run_id} says ${told.paid} paid, ${told.refunded} refunded; the chain ${show(chain)}`),
        ...told.steps.flatMap(({ number, state }) => {
          const own = plan.attempts.filter(it => it.number === number)
          const isPaid = own.some(it => it.job_state === 'settled')
          return unless((state === 'paid') === isPaid, `I16 plan ${plan.run_id} tells step ${number} as ${state}`)
        }),
      )
    }
    const wallet = address.parse(plan.user)
    await world.go(world.ask({ operation: readRun, input: { run_id: plan.run_id }, wallet, heard }))
  }
  return wrong
}

const show = ({ paid, refunded }: OnChain) => `${say(paid)} and ${say(refunded)}`

/** The bill in the log was true when it was written, and stays true where the chain took nothing back and mined no hire too late. */
const checkLog = ({ books, log }: World, { run_id, attempts }: PlanRow, chain: OnChain): string[] =>
  books.all(`select data from run_event where run_id = ? and kind = 'plan.ended'`, run_id).flatMap(it => {
    const { paid, refunded } = billed.parse(JSON.parse(textOf(it.data)))
    const isLater = log.reorgs > 0 || attempts.some(it => it.is_fetched === 1)
    const isTrue = isLater || (paid === say(chain.paid) && refunded === say(chain.refunded))
    return unless(isTrue, `I16 the bill of plan ${run_id} says ${paid} paid, ${refunded} refunded; the chain ${show(chain)}`)
  })
