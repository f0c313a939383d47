import { z } from 'zod'
import { chainId } from '../../domain/chains/chains.ts'
import { limits } from '../../domain/limits.ts'
import { formatUsdc } from '../../domain/money/money.ts'
import { Problem } from '../../domain/problem.ts'
import { assetSymbol, coinDecimals } from '../../domain/tokens/agentToken.ts'
import { chainOf, operation, userOf } from '../../operations/operation.ts'
import { waitUntil } from '../../operations/waiting.ts'

/** Coin of one gift, in wei. */
const giftWei = 10n ** BigInt(coinDecimals)

export const takeTestCoin = operation({
  name: 'takeTestCoin',
  summary: 'Give your custodial wallet one test coin, once. Only in the local world, where coin has no value.',
  scope: 'money',
  input: z.object({ chain_id: chainId }),
  output: z.object({ symbol: z.string(), amount: z.string(), status: z.enum(['pending', 'done']) }),

  async run({ chain_id }, deps, caller) {
    const [user, chain] = [userOf(caller), chainOf(deps, chain_id)]
    if (!deps.settings.local || !chain.faucet) throw new Problem('method-not-offered', 'There is no test coin on this chain.')
    const to = await deps.wallets.ensure('user', user)
    const key = `test-coin:${chain_id}:${user}`
    const call = { ...chain.topUp(to), value: giftWei }
    await deps.store.addIntents([{ key, chainId: chain_id, sender: chain.treasury, call, after: undefined }])
    const at = { channel: `intent:${key}`, deadline: deps.clock.now() + limits.tokenWaitMs }
    const isDone = async () => ((await deps.store.intent(key))?.state === 'confirmed' ? true : undefined)
    const status = (await waitUntil(deps, at, isDone)) ? ('done' as const) : ('pending' as const)
    return { symbol: assetSymbol('coin', chain_id), amount: formatUsdc(giftWei, coinDecimals), status }
  },
})
