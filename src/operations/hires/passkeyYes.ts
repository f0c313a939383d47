import type { Address } from '../../domain/hex.ts'
import { canonical } from '../../domain/json.ts'
import type { Run, Tables } from '../../ports.ts'
import type { Deps } from '../operation.ts'

/** A yes to more than this, in USDC, asks the passkey of a user who has one and set no other limit. */
export const usualYesLimit = '20'

/** The limit of a user in decimal USDC. */
export const yesLimitOf = async (store: Pick<Tables, 'yesLimit'>, user: Address): Promise<string> =>
  (await store.yesLimit(user)) ?? usualYesLimit

/** Whether the yes to terms is large enough for a passkey. */
export const isLarge = (terms: { total: string } | undefined, limit = usualYesLimit): boolean =>
  Number(terms?.total ?? 0) > Number(limit)

/** A yes to a total in decimal USDC. `terms` name what is agreed to. */
type Yes = { user: Address; operation: string; digest: string; total: string; terms: Record<string, string> }

/**
 * Demands the passkey of the user for a large yes. It signs the digest of the terms.
 * @throws PasskeyProblem, Problem signature-mismatch
 */
export const demandPasskeyAbove = async (deps: Deps, yes: Yes, answer: string | undefined): Promise<void> => {
  const { user, operation, digest, total } = yes
  if (!deps.presence || !isLarge(yes, await yesLimitOf(deps.store, user))) return
  await deps.presence.demand({ user, operation, digest, terms: canonical({ ...yes.terms, digest, total }), answer }, deps)
}

/**
 * The same for what a run proposes.
 * @throws PasskeyProblem, Problem signature-mismatch
 */
export const demandPasskeyFor = async (deps: Deps, { id, user, proposal }: Run, answer: string | undefined): Promise<void> => {
  if (!proposal) return
  const { digest, total } = proposal
  await demandPasskeyAbove(deps, { user, operation: 'confirmHire', digest, total, terms: { run_id: id } }, answer)
}
