import { parseUsdc } from '../../../../src/domain/money/money.ts'
import { listMandates } from '../../../../src/operations/mandates/mandates.ts'
import { checkMandates as checkDrawings, checkTold } from '../../audit/mandates.ts'
import type { User } from '../actors/talks.ts'
import { textOf } from '../books.ts'
import { usdcDecimals } from '../chain/port.ts'
import type { Answer, World } from '../world.ts'
import { unless } from './unless.ts'

const stated = `select id, "user", max_per_job as maxPerJob, max_per_period as maxPerPeriod, ask_above as askAbove, categories,
  expires_at as expiresAt from mandate`

/** Jobs under a mandate: of hires, and of the steps of plans. */
const hired = `select id, mandate_id from job where mandate_id is not null union all select j.id, p.mandate_id from plan p
  join plan_step s on s.plan_id = p.run_id join job j on j.run_id = s.run_id where p.mandate_id is not null`

/** I6: mandates are as their users set them, hires stay within them, and there is no hire after a confirmed revocation. */
export const checkMandates = ({ books, log }: World): string[] => [
  ...books.all(stated).flatMap(({ id, ...mandate }) =>
    unless(
      log.allowed.some(it => Object.entries(it).every(([name, value]) => mandate[name] === value)),
      `I6 nobody stated the mandate ${id} ${JSON.stringify(mandate)}`,
    ),
  ),
  ...checkDrawings(books),
  ...books
    .all(hired)
    .filter(it => log.revoked.get(textOf(it.mandate_id))?.has(textOf(it.id)) === false)
    .map(it => `I6 job ${it.id} was opened under ${it.mandate_id} after its end was told`),
]

/** I6, when idle: the reported use of each mandate is the sum of its drawings. */
export const checkToldMandates = async (world: World, users: User[]): Promise<string[]> => {
  const told: string[] = []
  for (const { wallet } of users) {
    const heard = (answer: Answer) => {
      if (!('value' in answer)) return
      const { mandates } = listMandates.output.parse(answer.value)
      const now = world.ground.time.clock.now()
      told.push(
        ...checkTold(
          world.books,
          mandates.map(it => ({ id: it.mandate_id, used: parseUsdc(it.used, usdcDecimals) ?? 0n, now })),
        ),
      )
    }
    await world.go(world.ask({ operation: listMandates, input: {}, wallet, heard }))
  }
  return told
}
