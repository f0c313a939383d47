import type { Chain } from '../../ports.ts'
import type { AuthorizationDeps } from './authorizations.ts'
import type { ClientGate } from './clientGate.ts'
import { SigningRefused } from './signerPolicy.ts'
import { transferWithAuthorization } from './transferWords.ts'

type SigningDeps = Pick<AuthorizationDeps, 'chainId' | 'addresses' | 'wallets' | 'usdcDomain'> & {
  gate: Pick<ClientGate, 'grantPurchase'>
}

type SignPurchase = NonNullable<Chain['authorized']>['signPurchase']

/** Signs the payments of purchases (EIP-3009), using only their stored rows. */
export const createPurchaseSigning =
  ({ chainId, addresses, wallets, usdcDomain, gate }: SigningDeps): SignPurchase =>
  async id => {
    const { grant, purchase } = await gate.grantPurchase(id)
    const { wallet: from, payTo: to, amount: value, nonce } = purchase
    const { role, account } = await wallets.holder(from, grant)
    if (role !== 'user') throw new SigningRefused(`${from} is not a wallet of role user`)
    const message = { from, to, value, validAfter: 0n, validBefore: BigInt(purchase.validBefore), nonce }
    const signature = await account.signTypedData({
      domain: { ...(await usdcDomain()), chainId, verifyingContract: addresses.usdc },
      types: transferWithAuthorization,
      primaryType: 'TransferWithAuthorization',
      message,
    })
    return { ...message, signature }
  }
