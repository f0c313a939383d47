import { canonical } from '../../domain/json.ts'
import type { Run } from '../../ports.ts'
import type { Deps } from '../operation.ts'

/** A yes to more than this, in USDC, asks the passkey of a user who has one. */
const freeUsdc = 20

/** Whether the yes to terms is large enough for a passkey. */
export const isLarge = (terms: { total: string } | undefined): boolean => Number(terms?.total ?? 0) > freeUsdc

/**
 * Demands the passkey of the user for a large yes. It signs the digest of the terms.
 * @throws PasskeyProblem, Problem signature-mismatch
 */
export const demandPasskeyFor = async (deps: Deps, run: Run, answer: string | undefined): Promise<void> => {
  const { id, user, proposal } = run
  if (!proposal || !isLarge(proposal)) return
  const { digest, total } = proposal
  const terms = canonical({ run_id: id, digest, total })
  await deps.presence?.demand({ user, operation: 'confirmHire', digest, terms, answer }, deps)
}
