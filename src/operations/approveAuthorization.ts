import { z } from 'zod'
import { type Address, hex, toWallet } from '../domain/hex.ts'
import { parseUsdc } from '../domain/money.ts'
import { Problem } from '../domain/problem.ts'
import { type Deps, operation } from './operation.ts'
import { waitUntil } from './waiting.ts'

const wallet = z
  .string()
  .transform(text => toWallet(text))
  .refine(it => it !== undefined, 'must be a wallet address')
const code = z.string().max(100)

/** Until the approval page exists, approving without a person at a page is for the local world only. */
const onlyLocal = ({ settings }: Pick<Deps, 'settings'>) => {
  if (!settings.local) throw new Problem('demo-wallet-refused')
}

export const readAuthorization = operation({
  name: 'readAuthorization',
  summary: 'The EIP-4361 text that a demo wallet has to sign to approve a session (local world only).',
  caller: 'anyone',
  input: z.object({ code, address: wallet }),
  output: z.object({ message: z.string() }),

  async run({ code, address }, deps) {
    onlyLocal(deps)
    if (!address) throw new Problem('invalid-input')
    return { message: await deps.identity.messageOf(code, address) }
  },
})

export const approveAuthorization = operation({
  name: 'approveAuthorization',
  summary: 'Approve a session with a demo wallet and get its token; a new user gets test USDC (local world only).',
  caller: 'anyone',
  input: z.object({ code, address: wallet, signature: hex }),
  output: z.object({ token: z.string(), expires_at: z.string() }),

  async run({ code, address, signature }, deps) {
    onlyLocal(deps)
    if (!address) throw new Problem('invalid-input')
    const signer = await deps.recoverSigner(await deps.identity.messageOf(code, address), signature)
    const { token, expiresAt } = await deps.identity.approve({ code, wallet: address, signer })
    await welcome(address, deps)
    return { token, expires_at: new Date(expiresAt).toISOString() }
  },
})

const welcomeWaitMs = 10_000

/** Gives a new user of the local world a proxy wallet with test USDC, once. */
const welcome = async (user: Address, deps: Deps) => {
  const proxy = await deps.wallets.ensure('user', user)
  const gifts = [...deps.chains.values()].flatMap(chain => {
    const amount = parseUsdc(deps.settings.faucet, chain.usdcDecimals)
    const call = amount ? chain.faucet?.(proxy, amount) : undefined
    return call
      ? [{ key: `faucet:${chain.chainId}:${user}`, chainId: chain.chainId, sender: chain.treasury, call, after: undefined }]
      : []
  })
  await deps.store.addIntents(gifts)
  for (const { key } of gifts) {
    const at = { channel: `intent:${key}`, deadline: deps.clock.now() + welcomeWaitMs }
    await waitUntil(deps, at, async () => ((await deps.store.intent(key))?.state === 'confirmed' ? true : undefined))
  }
}
