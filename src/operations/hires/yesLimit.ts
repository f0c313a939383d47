import { z } from 'zod'
import type { Address } from '../../domain/hex.ts'
import { canonical, sha256 } from '../../domain/json.ts'
import { parseUsdc } from '../../domain/money/money.ts'
import { Problem } from '../../domain/problem.ts'
import type { Run, Tables } from '../../ports.ts'
import { type Deps, operation, userOf } from '../operation.ts'

const limit = z.object({ usdc: z.string().describe('Decimal USDC') })
const decimals = 6

export const readYesLimit = operation({
  name: 'readYesLimit',
  summary: 'The amount in USDC above which a yes of yours needs your passkey.',
  scope: 'look',
  input: z.object({}),
  output: limit,

  run: async (_input, { store }, caller) => ({ usdc: await yesLimitOf(store, userOf(caller)) }),
})

/** A higher limit needs the passkey, because a stolen session would set one. A lower one takes nothing from anybody. */
export const setYesLimit = operation({
  name: 'setYesLimit',
  summary: 'Set the amount in USDC above which a yes of yours needs your passkey. A higher one needs the passkey itself.',
  isYes: () => true,
  input: z.strictObject({ usdc: z.string().max(30).describe('Decimal USDC; 0 asks for every payment') }),
  output: limit,

  async run({ usdc }, deps, caller) {
    const user = userOf(caller)
    if (parseUsdc(usdc, decimals) === undefined) throw new Problem('invalid-input', 'A decimal amount of USDC, or 0.', '/usdc')
    if (!(await deps.presence?.hasPasskey(user, deps)))
      throw new Problem('method-not-offered', 'The limit is for accounts with a passkey: add one first.')
    const set = await deps.store.yesLimit(user)
    const before = await yesLimitOf(deps.store, user)
    if (Number(usdc) > Number(before)) {
      const terms = canonical({ operation: 'setYesLimit', from: before, to: usdc })
      const of = { user, operation: 'setYesLimit', terms, digest: sha256(terms), answer: caller.passkeyAnswer }
      await deps.presence?.demand(of, deps)
    }
    await deps.store.atomically(async tables => {
      if (!(await tables.setYesLimit(user, { usdc, before: set })))
        throw new Problem('precondition-failed', 'The limit was changed meanwhile: read it again.')
      const text = `Your passkey is asked above ${usdc} USDC; before, it was asked above ${before} USDC.`
      if (usdc !== before) await tables.addAccountEvent({ wallet: user, kind: 'limit', text })
    })
    return { usdc }
  },
})

/** A yes to more than this, in USDC, asks the passkey of a user who has one and set no other limit. */
const usualYesLimit = '20'

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
