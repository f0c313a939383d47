import { z } from 'zod'
import { toCaip2 } from '../../domain/chains/chains.ts'
import { sha256 } from '../../domain/json.ts'
import { Problem } from '../../domain/problem.ts'
import { toDigest } from '../../domain/runs/proposal.ts'
import { toReceipt } from '../../domain/x402/statements.ts'
import { accessOf, operation } from '../operation.ts'
import { paymentsOf } from './readPayments.ts'
import { ownRun } from './readRun.ts'

const unpaid = 'The run has no payment, so it has no receipt.'

export const readReceipt = operation({
  name: 'readReceipt',
  summary: 'The signed receipt of a paid run: terms, verdict, hashes of input and deliverable, and transactions.',
  caller: 'anyone',
  scope: 'look',
  input: z.object({ run_id: z.string().max(100) }),
  output: z.object({
    receipt: z.string().describe('Compact JWS of the x402 receipt, with members of this market'),
    keys: z.array(z.looseObject({ kid: z.string() })).describe('The keys of `/.well-known/jwks.json`'),
  }),

  async run({ run_id }, deps, caller) {
    const run = await ownRun(deps, run_id, caller)
    const job = await deps.store.jobOfRun(run.id)
    if (job?.state !== 'settled') throw new Problem('not-found', unpaid)
    const payments = await paymentsOf(deps, run.id)
    const paid = payments.find(it => it.type === 'payout' || it.type === 'payment')
    if (!paid) throw new Problem('not-found', unpaid)
    const statement = toReceipt(
      {
        resourceUrl: `${deps.settings.publicUrl}/runs/${run.id}`,
        network: toCaip2(job.chainId),
        payer: job.userWallet,
        transaction: paid.transaction,
        at: deps.clock.now(),
      },
      {
        market: {
          digest: toDigest(job.terms),
          terms: job.terms,
          input_hash: sha256(job.terms.input),
          deliverable_hash: sha256(job.deliverable ?? ''),
          verdict: job.verdict ? { pass: job.verdict.pass, attempt: job.verdict.attempt } : null,
          ...(job.verdict?.used && { used: job.verdict.used }),
          transactions: payments.map(({ type, amount, currency, payee, transaction }) => ({
            type,
            amount,
            currency,
            payee,
            transaction,
          })),
        },
      },
    )
    return { receipt: await accessOf(deps).sign(statement), keys: await accessOf(deps).publicKeys() }
  },
})
