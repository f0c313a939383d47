import type { Address } from '../../src/domain/hex.ts'
import { toDigest } from '../../src/domain/runs/proposal.ts'
import type { Chain, Store } from '../../src/ports.ts'
import { addRun, newJob } from '../store/rows.ts'

export const usdc = (whole: number) => BigInt(whole) * 1_000_000n

type Agreed = { jobId: string; client: Address; provider: Address; budget?: bigint; runId?: string }

/** Adds a job with its user's consent, as the butler does. Returns the call of its hire and the purpose for the signer. */
export const agreeTo = async (store: Store, chain: Chain, of: Agreed) => {
  const { jobId, client, provider, budget = usdc(10), runId = `run-of-${jobId}` } = of
  await addRun(store, runId)
  const expiresAt = Date.now() + 3_600_000
  const job = { ...newJob(runId, { id: jobId, expiresAt }), agentWallet: provider, userWallet: client, budget }
  const digest = toDigest(job.terms)
  await store.addRunInput(runId, 'proposal', { kind: 'decision', decision: 'yes', digest, text: 'yes' })
  if (!(await store.addJob(job))) throw new Error('the run has a job already')
  const authorized = { runId, digest }
  const call = await chain.hire({ jobId, client, provider, budget, expiresAt, authorized })
  return { call, purpose: `job:${jobId}:hire`, authorized }
}
