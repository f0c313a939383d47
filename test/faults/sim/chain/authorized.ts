import { SigningRefused } from '../../../../src/chain/signing/signerPolicy.ts'
import { type Address, hex } from '../../../../src/domain/hex.ts'
import { toPurchaseDigest, transferMethodOf } from '../../../../src/domain/purchase.ts'
import type { Authorization } from '../../../../src/domain/x402.ts'
import type { AuthorizedTransfers, Call, PermittedTransfers } from '../../../../src/ports.ts'
import type { ChainModel } from './chain.ts'
import { type ContractCall, payKey } from './contracts.ts'
import { places } from './places.ts'
import type { ChainTerms } from './port.ts'
import type { GateStore } from './sending.ts'
import { allowanceOf } from './state.ts'
import { fromData, toData } from './transactions.ts'

export const tokenDomain = { name: 'USD Coin', version: '1' }

type Signed = Omit<Authorization, 'signature' | 'validAfter'>

/** A signed transfer as a call of the modelled token, or of Permit2. */
export const toPay = ({ from, to, value, validBefore, nonce }: Signed, isPermit: boolean): ContractCall => ({
  ...{ name: 'pay', from, to, nonce, amount: String(value), validBefore: Number(validBefore), isPermit },
})

type Common = Pick<AuthorizedTransfers, 'transferOf' | 'stateOf' | 'signPurchase'>

/** Signed transfers on the modelled chain. The signing policy is checked; signatures are not. */
export const createAuthorized = (model: ChainModel, terms: ChainTerms, store: GateStore): AuthorizedTransfers => {
  const transfer = (it: Authorization): Call => ({ to: places.usdc, data: toData(toPay(it, false)), value: 0n, gas: 90_000n })
  return {
    ...createTransfers(model, terms, { store, isPermit: false }),
    domain: async () => tokenDomain,
    transfer,
    refusal: async it => {
      if (model.attempt(places.treasury, transfer(it)) === undefined) return undefined
      const isUsed = model.state.used.has(payKey(it))
      return isUsed ? 'invalid_exact_evm_nonce_already_used' : 'invalid_exact_evm_insufficient_balance'
    },
  }
}

/** The same by Permit2 and the proxy of x402. */
export const createPermitted = (model: ChainModel, terms: ChainTerms, store: GateStore): PermittedTransfers => {
  const transfer = (it: Authorization): Call => ({
    ...{ to: places.permitProxy, data: toData(toPay(it, true)), value: 0n, gas: 110_000n },
  })
  const allowed = (owner: Address) =>
    model.state.allowances.get(allowanceOf(places.usdc, { spender: places.permit2, owner })) ?? 0n
  return {
    ...createTransfers(model, terms, { store, isPermit: true }),
    spender: places.permitProxy,
    allowance: async owner => allowed(owner),
    movesSince: async () => [],
    approve: amount => ({
      to: places.usdc,
      data: toData({ name: 'approve', asset: places.usdc, spender: places.permit2, amount: String(amount) }),
      ...{ value: 0n, gas: 50_000n },
    }),
    transfer,
    refusal: async it => {
      if (model.attempt(places.treasury, transfer(it)) === undefined) return undefined
      if (model.state.used.has(payKey(it))) return 'permit2_invalid_nonce'
      return allowed(it.from) < it.value ? 'permit2_allowance_required' : 'permit2_insufficient_balance'
    },
  }
}

const createTransfers = (
  model: ChainModel,
  { confirmations }: ChainTerms,
  { store, isPermit }: { store: GateStore; isPermit: boolean },
): Common => {
  const until = () => Math.max(1, model.blocks.length - model.weather.lagBlocks - confirmations)
  const find = (of: { from: string; nonce: string }, blocks: ChainModel['blocks']) =>
    blocks
      .flatMap(block => block.txs)
      .find(({ tx, success }) => {
        const call = success && tx.call.data !== '0x' ? fromData(tx.call.data) : undefined
        if (call?.name === 'buy') return !isPermit && call.buyer === of.from && call.nonce === of.nonce
        return call?.name === 'pay' && call.isPermit === isPermit && payKey(call) === payKey(of)
      })
  return {
    transferOf: async of => find(of, model.blocks)?.tx.hash,
    async signPurchase(id) {
      const purchase = await store.purchase(id)
      if (!purchase?.nonce || !purchase.validBefore) throw new SigningRefused(`no purchase ${id} is under way`)
      const { wallet: from, payTo: to, amount: value, nonce, validBefore } = purchase
      const digest = toPurchaseDigest(purchase)
      if (!(await store.consents(id)).includes(digest) && (await store.mandateYes(id, digest)) !== value)
        throw new SigningRefused(`purchase ${id} has no yes`)
      if ((transferMethodOf(purchase) === 'permit2') !== isPermit) throw new SigningRefused(`purchase ${id} is paid otherwise`)
      const signature = hex.parse(`0x${'11'.repeat(65)}`)
      return { from, to, value, validAfter: 0n, validBefore: BigInt(validBefore), nonce, signature }
    },
    async stateOf({ validBefore, ...of }) {
      const blocks = model.blocks.slice(0, until())
      if (find(of, blocks)) return 'used'
      return (blocks.at(-1)?.seconds ?? 0) >= validBefore ? 'expired' : 'open'
    },
  }
}
