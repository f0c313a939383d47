import type { SellerAnswer } from '../../src/features/x402Buying/ports.ts'
import type { NewPurchase, Tables } from '../../src/ports.ts'
import { account, chainId, hash, user } from './rows.ts'

// The custodial wallet that pays.
export const wallet = account(3)
export const addWallet = (store: Tables) => store.addWallet({ address: wallet, role: 'user', owner: user, sealedKey: 'sealed' })

export const newPurchase = (id: string, over: Partial<NewPurchase> = {}): NewPurchase => ({
  ...{ id, user, wallet, chainId, method: 'POST', url: 'https://seller.example/weather', body: '{"city":"Tokyo"}' },
  ...{ asset: account(8), payTo: account(9), amount: 1_500_000_000_000_000_001n, timeoutS: 60, version: 2 },
  ...{ requirement: { scheme: 'exact', extra: { name: 'USDC' } }, resource: { url: 'https://seller.example' } },
  extensions: { 'payment-identifier': { info: { required: true } } },
  ...{ description: 'The weather', outside: '', digest: '12345678', isByButler: false, ...over },
})

export const reply = (content: string, over: Partial<SellerAnswer> = {}): SellerAnswer => ({
  ...{ status: 200, contentType: 'text/plain', content, bytes: content.length, ending: 'whole', parts: 0, ...over },
})

export const consent = (at: number) => ({ digest: '12345678', nonce: hash(at), validBefore: 2_000_000_000, mandateId: undefined })
