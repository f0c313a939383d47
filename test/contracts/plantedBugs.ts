import { readFile } from 'node:fs/promises'
import type { Hex } from 'viem'
import { compileSources } from './compileOnce.ts'

type Planted = { bug: string; from: string; to: string }
type Buggy = { bug: string; escrow?: Hex; launchpad?: Hex }

/** Changes of JobEscrow.sol that each lose somebody's money. A test method must find all of them to be useful. */
const planted: Planted[] = [
  { bug: 'a refund leaves the job as it was', from: 'job.status = JobStatus.Expired;', to: '' },
  {
    bug: 'a completed job stays submitted',
    from: `job.status = JobStatus.Completed;
        emit JobCompleted(jobId, msg.sender, reason);
        emit PaymentReleased(jobId, provider, budget - fee);`,
    to: `emit JobCompleted(jobId, msg.sender, reason);
        emit PaymentReleased(jobId, provider, budget - fee);`,
  },
  {
    bug: 'a job completed by use stays submitted',
    from: `job.status = JobStatus.Completed;
        emit JobCompleted(jobId, msg.sender, reason);
        emit PaymentReleased(jobId, provider, used - fee);`,
    to: `emit JobCompleted(jobId, msg.sender, reason);
        emit PaymentReleased(jobId, provider, used - fee);`,
  },
  {
    bug: 'the unused part stays in the escrow',
    from: 'unused > 0 && !paymentToken.trySafeTransfer(client, unused)',
    to: 'false',
  },
  { bug: 'a return that could not be paid is forgotten', from: 'unpaidReturns[client] += unused;', to: '' },
  { bug: 'a return is withdrawn again and again', from: 'unpaidReturns[client] = 0;', to: '' },
  { bug: 'the fee of a usage is that of the budget', from: '((used * feeBps) / ALL_BPS', to: '((budget * feeBps) / ALL_BPS' },
  {
    bug: 'the provider gets the whole budget of a usage',
    from: 'safeTransfer(provider, used - fee)',
    to: 'safeTransfer(provider, budget - fee)',
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
  {
    bug: 'a fee that could not be paid is forgotten',
    from: `safeTransfer(provider, budget - fee);
        if (fee > 0 && !paymentToken.trySafeTransfer(treasury, fee)) {
            unpaidFees += fee;`,
    to: `safeTransfer(provider, budget - fee);
        if (fee > 0 && !paymentToken.trySafeTransfer(treasury, fee)) {`,
  },
  { bug: 'a fee is withdrawn again and again', from: 'unpaidFees = 0;', to: '' },
  {
    bug: 'every job gets the main evaluator',
    from: 'if (evaluator == mainEvaluator) return 0;',
    to: 'if (evaluator != address(0)) return 0;',
  },
  { bug: 'a rejected job keeps its money', from: 'if (!isOpen) _refund(jobId, job);', to: '' },
]

/** Changes of TokenLaunchpad.sol, likewise. */
const plantedInCurve: Planted[] = [
  { bug: 'a fee is lost', from: '(curve.fees + fee).toUint128()', to: '(curve.fees + fee - fee).toUint128()' },
  {
    bug: 'a purchase is not taken off the curve',
    from: 'curve.reserve + amountIn - fee, curve.held - tokens, fee',
    to: 'curve.reserve + amountIn - fee, curve.held, fee',
  },
  {
    bug: 'the fee of a purchase is also in the reserve',
    from: 'curve.reserve + amountIn - fee,',
    to: 'curve.reserve + amountIn,',
  },
  { bug: 'the fee of a sale stays in the reserve', from: 'curve.reserve - out - fee,', to: 'curve.reserve - out,' },
  { bug: 'a sale is rounded up', from: '/ (curve.held + tokens);', to: '/ (curve.held + tokens) + 1;' },
  { bug: 'fees are rounded down', from: '(amount * feeBps).ceilDiv(ALL_BPS)', to: '(amount * feeBps) / ALL_BPS' },
  { bug: 'fees are paid again and again', from: '_curves[token].fees = 0;', to: '_curves[token].fees = curve.fees;' },
  { bug: 'divided fees are paid again and again', from: 'creatorFees[token] = 0;', to: '' },
  { bug: 'divided fees of a creator are forgotten', from: 'creatorFees[token] += amount;', to: '' },
  { bug: 'the platform is paid again and again', from: 'platformFees[asset] = 0;', to: '' },
  { bug: 'sold tokens stay with the seller', from: 'AgentToken(token).transferFrom(msg.sender, address(this), tokens);', to: '' },
]

/**
 * Creation codes of an escrow or a launchpad with one bug each.
 * @throws Error when the source does not contain the text of a bug exactly once
 */
export const compilePlanted = async (): Promise<Buggy[]> => [
  ...(await compileOf('JobEscrow', planted)).map(({ bug, code }) => ({ bug, escrow: code })),
  ...(await compileOf('TokenLaunchpad', plantedInCurve)).map(({ bug, code }) => ({ bug, launchpad: code })),
]

const compileOf = async (contractName: string, bugs: Planted[]): Promise<{ bug: string; code: Hex }[]> => {
  const source = await readFile(new URL(`../../src/chain/contracts/${contractName}.sol`, import.meta.url), 'utf8')
  const plant = ({ bug, from, to }: Planted) => {
    const [before, after, ...more] = source.split(from)
    if (before === undefined || after === undefined || more.length > 0) throw new Error(`no place for: ${bug}`)
    return { content: `${before}${to}${after}` }
  }
  const compiled = await compileSources(Object.fromEntries(bugs.map((it, index) => [`Planted${index}.sol`, plant(it)])))
  return bugs.map(({ bug }, index) => {
    const contract = compiled[`Planted${index}.sol`]?.[contractName]
    if (!contract) throw new Error(`no contract with: ${bug}`)
    return { bug, code: `0x${contract.evm.bytecode.object}` }
  })
}
