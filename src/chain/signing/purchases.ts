import { facilitatorIn, transferMethodOf } from '../../domain/x402/purchase.ts'
import { permit2Address, type TransferMethod } from '../../domain/x402/x402.ts'
import type { AuthorizedTransfers } from '../../ports.ts'
import type { AuthorizationDeps } from './authorizations.ts'
import type { ClientGate } from './clientGate.ts'
import { permitProxy, uptoProxy } from './proxies.ts'
import { SigningRefused } from './signerPolicy.ts'
import { permitWitnessTransfer, transferWithAuthorization, uptoWitnessTransfer } from './transferWords.ts'

type SigningDeps = Pick<AuthorizationDeps, 'chainId' | 'addresses' | 'wallets' | 'usdcDomain'> & {
  gate: Pick<ClientGate, 'grantPurchase'>
}

type SignPurchase = AuthorizedTransfers['signPurchase']
type PermitDeps = Omit<SigningDeps, 'usdcDomain'>

/** @throws SigningRefused unless the purchase is paid by this method and, in the scheme `upto`, names its facilitator */
const holderOf = async (
  { gate, wallets }: Pick<SigningDeps, 'gate' | 'wallets'>,
  id: string,
  by: TransferMethod['name'] | 'upto',
) => {
  const { grant, purchase } = await gate.grantPurchase(id)
  const { wallet: from, payTo: to, amount: value, nonce } = purchase
  const { role, account } = await wallets.holder(from, grant)
  if (role !== 'user') throw new SigningRefused(`${from} is not a wallet of role user`)
  const facilitator = facilitatorIn(purchase)
  if ((facilitator ? 'upto' : transferMethodOf(purchase)) !== by) throw new SigningRefused(`purchase ${id} is not paid by ${by}`)
  const message = { from, to, value, validAfter: 0n, validBefore: BigInt(purchase.validBefore), nonce }
  return { account, message, facilitator }
}

/** Signs the payments of purchases (EIP-3009), using only their stored rows. */
export const createPurchaseSigning =
  ({ chainId, addresses, usdcDomain, ...deps }: SigningDeps): SignPurchase =>
  async id => {
    const { account, message } = await holderOf(deps, id, 'eip3009')
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
  ({ chainId, addresses, ...deps }: PermitDeps): SignPurchase =>
  async id => {
    const { account, message } = await holderOf(deps, id, 'permit2')
    const { to, validAfter } = message
    const signature = await account.signTypedData({
      domain: toDomain(chainId),
      types: permitWitnessTransfer,
      primaryType: 'PermitWitnessTransferFrom',
      message: { ...toPermission(message, addresses), spender: permitProxy, witness: { to, validAfter } },
    })
    return { ...message, signature }
  }

/** The same in the scheme `upto`: the witness also names the one wallet that may take at most the amount. */
export const createUptoSigning =
  ({ chainId, addresses, ...deps }: PermitDeps): SignPurchase =>
  async id => {
    const { account, message, facilitator } = await holderOf(deps, id, 'upto')
    if (!facilitator) throw new RangeError(`purchase ${id} has no facilitator`)
    const { to, validAfter } = message
    const signature = await account.signTypedData({
      domain: toDomain(chainId),
      types: uptoWitnessTransfer,
      primaryType: 'PermitWitnessTransferFrom',
      message: { ...toPermission(message, addresses), spender: uptoProxy, witness: { to, facilitator, validAfter } },
    })
    return { ...message, signature }
  }

const toDomain = (chainId: number) => ({ name: 'Permit2', chainId, verifyingContract: permit2Address })

type Message = Awaited<ReturnType<typeof holderOf>>['message']

const toPermission = ({ value, nonce, validBefore }: Message, { usdc }: PermitDeps['addresses']) => ({
  permitted: { token: usdc, amount: value },
  nonce: BigInt(nonce),
  deadline: validBefore,
})
