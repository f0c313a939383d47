import { gasCeilings } from '../../../../src/chain/rpc/gas.ts'
import { createAuthorizedTransfers } from '../../../../src/chain/signing/authorizedTransfers.ts'
import { createPermittedTransfers } from '../../../../src/chain/signing/permittedTransfers.ts'
import { SigningRefused } from '../../../../src/chain/signing/signerPolicy.ts'
import { createUptoTransfers } from '../../../../src/chain/signing/uptoTransfers.ts'
import { hex } from '../../../../src/domain/hex.ts'
import { facilitatorIn, toPurchaseDigest, transferMethodOf } from '../../../../src/domain/x402/purchase.ts'
import type { AuthorizedTransfers, PermittedTransfers, UptoTransfers } from '../../../../src/ports.ts'
import type { ContractCall } from './contracts.ts'
import { createModelNode, type Rpc } from './node.ts'
import type { SignedTransfer } from './payments.ts'
import { places } from './places.ts'
import type { ChainTerms } from './port.ts'
import type { GateStore } from './sending.ts'

export const tokenDomain = { name: 'USD Coin', version: '1' }

/** A signed transfer as a call of the modelled token, or of Permit2. @param taken in the scheme `upto` what is taken of it */
export const toPay = (of: SignedTransfer, taken = of.amount): ContractCall => {
  const { from, to, amount, nonce, validBefore, isPermit, facilitator } = of
  const call = { name: 'pay' as const, from, to, nonce, amount: String(taken), validBefore, isPermit }
  return facilitator ? { ...call, facilitator, most: String(amount) } : call
}

type Signing = { terms: ChainTerms; store: GateStore; rpc: Rpc }

/** The service's own signed transfers, over a node of the modelled chain. The signing policy is checked; signatures are not. */
export const createAuthorized = (of: Signing): AuthorizedTransfers =>
  createAuthorizedTransfers({ ...toDeps(of), domain: async () => tokenDomain, signPurchase: signing(of.store, 'eip3009') })

/** The same by Permit2 and the proxy of x402. */
export const createPermitted = (of: Signing): PermittedTransfers =>
  createPermittedTransfers({ ...toDeps(of), signPurchase: signing(of.store, 'permit2') })

/** The same in the scheme `upto`. */
export const createUpto = (of: Signing): UptoTransfers =>
  createUptoTransfers({ ...toDeps(of), signPurchase: signing(of.store, 'upto') })

/** Block times are those of the model, never of this machine. */
const blockTimeMs = 1_000

const toDeps = ({ terms: { confirmations }, rpc }: Signing) => ({
  ...{ node: createModelNode(rpc), usdc: places.usdc, sender: places.treasury },
  policy: { gas: gasCeilings, blockTimeMs, confirmations },
})

/** Signs the purchase that its user agreed to. */
const signing =
  (store: GateStore, by: 'eip3009' | 'permit2' | 'upto'): AuthorizedTransfers['signPurchase'] =>
  async id => {
    const purchase = await store.purchase?.(id)
    if (!purchase?.nonce || !purchase.validBefore) throw new SigningRefused(`no purchase ${id} is under way`)
    const { wallet: from, payTo: to, amount: value, nonce, validBefore } = purchase
    const digest = toPurchaseDigest(purchase)
    if (!(await store.consents(id)).includes(digest) && (await store.mandateYes(id, digest)) !== value)
      throw new SigningRefused(`purchase ${id} has no yes`)
    if ((facilitatorIn(purchase) ? 'upto' : transferMethodOf(purchase)) !== by)
      throw new SigningRefused(`purchase ${id} is paid otherwise`)
    const signature = hex.parse(`0x${'11'.repeat(65)}`)
    return { from, to, value, validAfter: 0n, validBefore: BigInt(validBefore), nonce, signature }
  }
