import { SigningRefused } from '../../../../src/chain/signing/signerPolicy.ts'
import { hex } from '../../../../src/domain/hex.ts'
import { toPurchaseDigest } from '../../../../src/domain/purchase.ts'
import type { Authorization } from '../../../../src/domain/x402.ts'
import type { AuthorizedTransfers, Call } from '../../../../src/ports.ts'
import type { ChainModel } from './chain.ts'
import { type ContractCall, payKey } from './contracts.ts'
import { places } from './places.ts'
import type { ChainTerms } from './port.ts'
import type { GateStore } from './sending.ts'
import { fromData, toData } from './transactions.ts'

export const tokenDomain = { name: 'USD Coin', version: '1' }

/** A signed transfer as a call of the modelled token. */
export const toPay = ({
  from,
  to,
  value,
  validBefore,
  nonce,
}: Omit<Authorization, 'signature' | 'validAfter'>): ContractCall => ({
  ...{ name: 'pay', from, to, nonce, amount: String(value), validBefore: Number(validBefore) },
})

/** Signed transfers on the modelled chain. The signing policy is checked; signatures are not. */
export const createAuthorized = (model: ChainModel, { confirmations }: ChainTerms, store: GateStore): AuthorizedTransfers => {
  const transfer = (it: Authorization): Call => ({ to: places.usdc, data: toData(toPay(it)), value: 0n, gas: 90_000n })
  const until = () => Math.max(1, model.blocks.length - model.weather.lagBlocks - confirmations)
  const find = (of: { from: string; nonce: string }, blocks: ChainModel['blocks']) =>
    blocks
      .flatMap(block => block.txs)
      .find(({ tx, success }) => {
        const call = success && tx.call.data !== '0x' ? fromData(tx.call.data) : undefined
        if (call?.name === 'buy') return call.buyer === of.from && call.nonce === of.nonce
        return call?.name === 'pay' && payKey(call) === payKey(of)
      })
  return {
    domain: async () => tokenDomain,
    transfer,
    refusal: async it => {
      if (model.attempt(places.treasury, transfer(it)) === undefined) return undefined
      const isUsed = model.state.used.has(payKey(it))
      return isUsed ? 'invalid_exact_evm_nonce_already_used' : 'invalid_exact_evm_insufficient_balance'
    },
    transferOf: async of => find(of, model.blocks)?.tx.hash,
    async signPurchase(id) {
      const purchase = await store.purchase(id)
      if (!purchase?.nonce || !purchase.validBefore) throw new SigningRefused(`no purchase ${id} is under way`)
      const { wallet: from, payTo: to, amount: value, nonce, validBefore } = purchase
      const digest = toPurchaseDigest(purchase)
      if (!(await store.consents(id)).includes(digest) && (await store.mandateYes(id, digest)) !== value)
        throw new SigningRefused(`purchase ${id} has no yes`)
      return {
        from,
        to,
        value,
        validAfter: 0n,
        validBefore: BigInt(validBefore),
        nonce,
        signature: hex.parse(`0x${'11'.repeat(65)}`),
      }
    },
    async stateOf({ validBefore, ...of }) {
      const blocks = model.blocks.slice(0, until())
      if (find(of, blocks)) return 'used'
      return (blocks.at(-1)?.seconds ?? 0) >= validBefore ? 'expired' : 'open'
    },
  }
}
