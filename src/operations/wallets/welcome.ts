import type { Address } from '../../domain/hex.ts'
import { parseUsdc } from '../../domain/money/money.ts'
import type { Deps } from '../operation.ts'
import { waitUntil } from '../waiting.ts'

const waitMs = 10_000

/** Creates the custodial wallet of a new user, and in the local world gives it test USDC, once. */
export const welcome = async (user: Address, deps: Deps) => {
  const proxy = await deps.wallets.ensure('user', user)
  if (!deps.settings.local) return
  const gifts = [...deps.chains.values()].flatMap(chain => {
    const amount = parseUsdc(deps.settings.faucet, chain.usdcDecimals)
    const call = amount ? chain.faucet?.(proxy, amount) : undefined
    return call
      ? [{ key: `faucet:${chain.chainId}:${user}`, chainId: chain.chainId, sender: chain.treasury, call, after: undefined }]
      : []
  })
  await deps.store.addIntents(gifts)
  for (const { key } of gifts) {
    const at = { channel: `intent:${key}`, deadline: deps.clock.now() + waitMs }
    await waitUntil(deps, at, async () => ((await deps.store.intent(key))?.state === 'confirmed' ? true : undefined))
  }
}
