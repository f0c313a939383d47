import { parseUsdc } from '../../../../src/domain/money/money.ts'
import { terms } from '../../../../src/domain/runs/proposal.ts'
import { textOf } from '../books.ts'
import { transfersOn } from '../chain/payments.ts'
import { usdcDecimals } from '../chain/port.ts'
import type { World } from '../world.ts'
import { unless } from './unless.ts'

const jobs = `select id, chain_job_id, terms, deliverable from job
  where chain_job_id is not null and json_extract(terms, '$.usage') is not null`

/** Characters of all values of a deliverable, counted here independently of the service. */
const charactersIn = (text: string): number => {
  const count = (it: unknown): number =>
    typeof it === 'object' && it !== null
      ? Object.values(it).reduce((sum: number, one) => sum + count(one), 0)
      : [...String(it)].length
  return /^\s*\{/.test(text) ? count(JSON.parse(text)) : [...text].length
}

/**
 * I17, at every moment: a usage price is paid by what was used, never above what the deliverable has, what its agent stated, or the
 * cap, and never as a whole.
 */
export const checkUsage = (world: World): string[] => [...checkEscrows(world), ...checkCalls(world)]

const checkEscrows = ({ books, ground, log }: World): string[] =>
  books.all(jobs).flatMap(({ id, chain_job_id, terms: agreed, deliverable }) => {
    const onChain = ground.chain.state.jobs.get(BigInt(textOf(chain_job_id)))
    if (onChain?.status !== 'completed' || onChain.jobKey !== id) return []
    const { used, budget } = onChain
    if (used === undefined) return [`I17 job ${id} has a usage price, and its whole budget was paid`]
    return checkUsed(log, { id: textOf(id), agreed: textOf(agreed), deliverable: textOf(deliverable), used, most: budget })
  })

const calls = `select p.id, p.payer, p.nonce, p.pay_to, p.amount, p.taken, j.id as job, j.state, j.terms, j.deliverable from paid_call p
  join job j on j.id = p.job_id where json_extract(j.terms, '$.usage') is not null`

/** Paid calls: the chain has what was used, and the books what the chain has. */
const checkCalls = ({ books, ground, log }: World): string[] => {
  const taken = Map.groupBy(
    transfersOn(ground.chain).filter(it => !it.isForeign),
    it => `${it.from},${it.to},${it.nonce}`,
  )
  return books.all(calls).flatMap(it => {
    const amounts = (taken.get(`${it.payer},${it.pay_to},${it.nonce}`) ?? []).map(one => one.amount)
    const told = it.taken === null ? [] : [BigInt(textOf(it.taken))]
    const of = { agreed: textOf(it.terms), deliverable: textOf(it.deliverable), most: BigInt(textOf(it.amount)) }
    return [
      ...unless(it.state !== 'settled' || told.length > 0, `I17 paid call ${it.id} is settled, and nothing says what was used`),
      ...[...amounts, ...told].flatMap(used => checkUsed(log, { id: textOf(it.job), used, ...of })),
    ]
  })
}

type Used = { id: string; agreed: string; deliverable: string; used: bigint; most: bigint }

/** Compares what was paid with the deliverable and with what its agent stated. */
const checkUsed = (log: World['log'], { id, agreed, deliverable, used, most: cap }: Used): string[] => {
  const { usage } = terms.parse(JSON.parse(agreed))
  const handed = log.handed.filter(it => it.jobId === id && it.deliverable === deliverable)
  if (!usage || handed.length === 0) return []
  const each = parseUsdc(usage.perUnit, usdcDecimals) ?? 0n
  const most = usage.unit === 'characters' ? charactersIn(deliverable) : Number.POSITIVE_INFINITY
  const costs = handed.map(it => BigInt(Math.min(it.units ?? most, most)) * each)
  const allowed = costs.map(it => (it < cap ? it : cap))
  return unless(allowed.includes(used), `I17 job ${id} paid ${used} of ${cap}, its use cost ${allowed.join(' or ')}`)
}
