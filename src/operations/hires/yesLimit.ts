import { z } from 'zod'
import { canonical, sha256 } from '../../domain/json.ts'
import { parseUsdc } from '../../domain/money/money.ts'
import { Problem } from '../../domain/problem.ts'
import { operation, userOf } from '../operation.ts'
import { yesLimitOf } from './passkeyYes.ts'

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
