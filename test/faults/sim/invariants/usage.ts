import { parseUsdc } from '../../../../src/domain/money/money.ts'
import { terms } from '../../../../src/domain/runs/proposal.ts'
import { textOf } from '../books.ts'
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
export const checkUsage = ({ books, ground, log }: World): string[] =>
  books.all(jobs).flatMap(({ id, chain_job_id, terms: agreed, deliverable }) => {
    const onChain = ground.chain.state.jobs.get(BigInt(textOf(chain_job_id)))
    if (onChain?.status !== 'completed' || onChain.jobKey !== id) return []
    const { used, budget } = onChain
    if (used === undefined) return [`I17 job ${id} has a usage price, and its whole budget was paid`]
    const { usage } = terms.parse(JSON.parse(textOf(agreed)))
    const handed = log.handed.filter(it => it.jobId === id && it.deliverable === deliverable)
    if (!usage || handed.length === 0) return []
    const each = parseUsdc(usage.perUnit, usdcDecimals) ?? 0n
    const most = usage.unit === 'characters' ? charactersIn(textOf(deliverable)) : Number.POSITIVE_INFINITY
    const costs = handed.map(it => BigInt(Math.min(it.units ?? most, most)) * each)
    const allowed = costs.map(it => (it < budget ? it : budget))
    return unless(allowed.includes(used), `I17 job ${id} paid ${used} of ${budget}, its use cost ${allowed.join(' or ')}`)
  })
