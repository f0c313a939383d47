import { transferMethodOf } from '../../domain/x402/purchase.ts'
import { permit2Address } from '../../domain/x402/x402.ts'
import type { AuthorizedTransfers } from '../../ports.ts'
import type { AuthorizationDeps } from './authorizations.ts'
import type { ClientGate } from './clientGate.ts'
import { permitProxy } from './permittedTransfers.ts'
import { SigningRefused } from './signerPolicy.ts'
import { permitWitnessTransfer, transferWithAuthorization } from './transferWords.ts'

type SigningDeps = Pick<AuthorizationDeps, 'chainId' | 'addresses' | 'wallets' | 'usdcDomain'> & {
  gate: Pick<ClientGate, 'grantPurchase'>
}

type SignPurchase = AuthorizedTransfers['signPurchase']

const holderOf = async ({ gate, wallets }: Pick<SigningDeps, 'gate' | 'wallets'>, id: string) => {
  const { grant, purchase } = await gate.grantPurchase(id)
  const { wallet: from, payTo: to, amount: value, nonce } = purchase
  const { role, account } = await wallets.holder(from, grant)
  if (role !== 'user') throw new SigningRefused(`${from} is not a wallet of role user`)
  const message = { from, to, value, validAfter: 0n, validBefore: BigInt(purchase.validBefore), nonce }
  return { account, message, method: transferMethodOf(purchase) }
}

/** Signs the payments of purchases (EIP-3009), using only their stored rows. */
export const createPurchaseSigning =
  ({ chainId, addresses, usdcDomain, ...deps }: SigningDeps): SignPurchase =>
  async id => {
    const { account, message, method } = await holderOf(deps, id)
    if (method !== 'eip3009') throw new SigningRefused(`purchase ${id} is paid by Permit2`)
    const signature = await account.signTypedData({
      domain: { ...(await usdcDomain()), chainId, verifyingContract: addresses.usdc },
      types: transferWithAuthorization,
      primaryType: 'TransferWithAuthorization',
      message,
    })
    return { ...message, signature }
  }

/** The same for Permit2 and the proxy of x402. The payee is in the witness, which Permit2 checks. */
export const createPermitSigning =
  ({ chainId, addresses, ...deps }: Omit<SigningDeps, 'usdcDomain'>): SignPurchase =>
  async id => {
    const { account, message, method } = await holderOf(deps, id)
    if (method !== 'permit2') throw new SigningRefused(`purchase ${id} is not paid by Permit2`)
    const { to, value, validAfter, validBefore, nonce } = message
    const signature = await account.signTypedData({
      domain: { name: 'Permit2', chainId, verifyingContract: permit2Address },
      types: permitWitnessTransfer,
      primaryType: 'PermitWitnessTransferFrom',
      message: {
        permitted: { token: addresses.usdc, amount: value },
        spender: permitProxy,
        nonce: BigInt(nonce),
        deadline: validBefore,
        witness: { to, validAfter },
      },
    })
    return { ...message, signature }
  }
