import { readFile } from 'node:fs/promises'
import type { Hex } from 'viem'
import { compileSources } from './compileOnce.ts'

type Planted = { bug: string; from: string; to: string }

/** Changes of JobEscrow.sol that each lose somebody's money. A test method must find all of them to be useful. */
const planted: Planted[] = [
  { bug: 'a refund leaves the job as it was', from: 'job.status = JobStatus.Expired;', to: '' },
  {
    bug: 'a completed job stays escrowed',
    from: `job.status = JobStatus.Completed;
        escrowed -= uint128(budget);`,
    to: 'job.status = JobStatus.Completed;',
  },
  {
    bug: 'a job that was never funded is refunded',
    from: 'if (status == JobStatus.Funded) return expiredAt;',
    to: 'if (status <= JobStatus.Funded) return expiredAt;',
  },
  { bug: 'the provider gets the fee too', from: 'safeTransfer(provider, budget - fee)', to: 'safeTransfer(provider, budget)' },
  {
    bug: 'a refund of handed in work waits for days',
    from: 'job.submittedAt + EVALUATION_GRACE',
    to: 'job.submittedAt + 30 days',
  },
  {
    bug: 'a running job is funded again',
    from: `Escrow storage job = _jobIn(jobId, JobStatus.Open);
        uint256 budget`,
    to: `Escrow storage job = _job(jobId);
        uint256 budget`,
  },
  {
    bug: 'closed jobs take work again',
    from: `Escrow storage job = _jobIn(jobId, JobStatus.Funded);`,
    to: 'Escrow storage job = _job(jobId);',
  },
  { bug: 'a fee that could not be paid is forgotten', from: 'unpaidFees += fee;', to: '' },
  { bug: 'a fee is withdrawn again and again', from: 'unpaidFees = 0;', to: '' },
  { bug: 'a rejected job keeps its money', from: 'if (!isOpen) _refund(jobId, job);', to: '' },
]

/**
 * Creation codes of the escrow with one bug each.
 * @throws Error when the source does not contain the text of a bug exactly once
 */
export const compilePlanted = async (): Promise<{ bug: string; escrow: Hex }[]> => {
  const source = await readFile(new URL('../../src/chain/contracts/JobEscrow.sol', import.meta.url), 'utf8')
  const plant = ({ bug, from, to }: Planted) => {
    const [before, after, ...more] = source.split(from)
    if (before === undefined || after === undefined || more.length > 0) throw new Error(`no place for: ${bug}`)
    return { content: `${before}${to}${after}` }
  }
  const compiled = await compileSources(Object.fromEntries(planted.map((it, index) => [`Planted${index}.sol`, plant(it)])))
  return planted.map(({ bug }, index) => {
    const contract = compiled[`Planted${index}.sol`]?.JobEscrow
    if (!contract) throw new Error(`no contract with: ${bug}`)
    return { bug, escrow: `0x${contract.evm.bytecode.object}` }
  })
}
