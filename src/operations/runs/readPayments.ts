import { z } from 'zod'
import { toCaip2 } from '../../domain/chains/chains.ts'
import { toIso } from '../../domain/durations.ts'
import { formatUsdc } from '../../domain/money/money.ts'
import { toEndText } from '../../domain/runTexts/ends.ts'
import { facilitatorIn } from '../../domain/x402/purchase.ts'
import type { Job, LedgerRow, StoredPlan } from '../../ports.ts'
import { paymentRecord } from '../../records/payment.ts'
import { withoutReversed } from '../ledger/bookings.ts'
import { chainOf, type Deps, operation } from '../operation.ts'
import { ownRun } from './readRun.ts'

/** The payment records of a run, derived from its ledger: one per posting and receiver. */
export const paymentsOf = async (
  deps: Pick<Deps, 'store' | 'chains'>,
  runId: string,
): Promise<z.infer<typeof paymentRecord>[]> => {
  const rows = withoutReversed(await rowsOf(deps, runId))
  const scheme = rows.some(isByX402) && (await isByUse(deps, runId)) ? 'upto' : 'exact'
  return rows
    .filter(row => row.amount > 0n)
    .map(row => {
      const payer = rows.find(it => it.key === row.key && it.amount < 0n)?.account ?? ''
      return {
        type: typeOf(row.key, row.account),
        ...(isByX402(row) ? { protocol: 'x402' as const, scheme } : { protocol: 'ERC-8183' as const, scheme: 'escrow' as const }),
        status: 'settled',
        amount: formatUsdc(row.amount, chainOf(deps, row.chainId).usdcDecimals),
        currency: 'USDC',
        payer: payer.replace(holderKind, ''),
        payee: row.account.replace(holderKind, ''),
        network: toCaip2(row.chainId),
        transaction: row.txHash ?? '',
        job_id: row.jobId ?? '',
        timestamp: toIso(row.at),
      }
    })
}

/**
 * The postings of a run, and of a plan those of its steps. A purchase from an agent of this market has its posting in the run
 * of the sale.
 */
const rowsOf = async ({ store }: Pick<Deps, 'store'>, runId: string): Promise<LedgerRow[]> => {
  const own = await store.ledger({ runId })
  const plan = own.length === 0 ? await store.plan(runId) : undefined
  if (plan) return (await Promise.all(stepRuns(plan).map(it => rowsOf({ store }, it)))).flat()
  const bought = own.length === 0 ? await store.purchase?.(runId) : undefined
  if (bought?.state !== 'paid' || !bought.nonce) return own
  const sale = await store.paidCallOfNonce?.({ ...bought, payer: bought.wallet, nonce: bought.nonce })
  return sale ? store.ledger({ runId: sale.runId }) : own
}

const stepRuns = ({ steps }: StoredPlan) => steps.flatMap(it => it.tries.map(one => one.runId))

/** Ledger accounts have a prefix for the kind of holder. A payment record names only the holder. */
const holderKind = /^(?:wallet|treasury|escrow):/

const isByX402 = ({ key }: { key: string }) => key.startsWith('x402:')

/** Whether a run is that of a call or a purchase of which at most the agreed amount was taken. */
const isByUse = async ({ store }: Pick<Deps, 'store'>, runId: string): Promise<boolean> => {
  const [job, bought] = await Promise.all([store.jobOfRun(runId), store.purchase?.(runId)])
  return job?.terms.usage !== undefined || (bought !== undefined && facilitatorIn(bought) !== undefined)
}

const typeOf = (key: string, account: string) => {
  const [rail, , step] = key.split(':')
  if (rail === 'x402') return 'payment'
  if (step === 'escrow' || step === 'refund') return step
  if (step === 'unused') return 'refund'
  return account.startsWith('treasury:') ? 'fee' : 'payout'
}

export const readPayments = operation({
  name: 'readPayments',
  summary: 'The payment records of a run: escrow, payout, fee, refund, or the payment of a paid call, each with its transaction.',
  caller: 'anyone',
  scope: 'look',
  input: z.object({ run_id: z.string().max(100) }),
  output: z.array(paymentRecord),

  run: async ({ run_id }, deps, caller) => paymentsOf(deps, (await ownRun(deps, run_id, caller)).id),
})

type Reach = Pick<Deps, 'store' | 'chains' | 'selling'>

/** Describes how a job ended and where its money is. The deliverable is quoted as the agent's text. */
export const describeEnd = async (deps: Reach, job: Job): Promise<string> => {
  const taken = job.kind === 'paid-call' && job.state !== 'settled' ? await deps.selling?.describeTaken(job, deps) : undefined
  if (taken) return `${job.reason} ${taken}`.trim()
  const payments = job.state === 'settled' ? await paymentsOf(deps, job.runId) : []
  const paid = payments.find(it => it.type === 'payout' || it.type === 'payment')
  return toEndText(job, paid)
}
