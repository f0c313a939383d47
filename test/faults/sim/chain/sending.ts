import { SigningRefused } from '../../../../src/chain/signing/signerPolicy.ts'
import type { Address } from '../../../../src/domain/hex.ts'
import { isFinal } from '../../../../src/domain/jobs/job.ts'
import { toDigest } from '../../../../src/domain/runs/proposal.ts'
import { toPurchaseDigest } from '../../../../src/domain/x402/purchase.ts'
import type { Call, Chain, Job, Purchase, PurchaseReads, Store, TokenReads } from '../../../../src/ports.ts'
import type { ChainModel } from './chain.ts'
import { authorizationOf } from './contracts.ts'
import { checkTrade } from './launchpadPort.ts'
import { dearestGas, places } from './places.ts'
import type { ChainTerms } from './port.ts'
import { fromData, fromRaw, toSigned } from './transactions.ts'

/** The data that the signing policy of clients' wallets reads. */
export type GateStore = Pick<Store, 'job' | 'consents' | 'mandateYes' | 'planYes'> &
  Pick<TokenReads, 'tradeOrder'> &
  Partial<Pick<PurchaseReads, 'purchase' | 'permittedPurchases'>>

type Sending = Pick<
  Chain,
  'sign' | 'broadcast' | 'hasGas' | 'replace' | 'preflight' | 'isHired' | 'replaceAfterMs' | 'resendAfterMs'
>

/** From a call to a transaction in the pool. Offers twice the gas price, limited so that every top-up can pay it. */
export const createSending = (model: ChainModel, { isBlind, resendAfterMs, permits }: ChainTerms, store: GateStore): Sending => {
  const { state, weather } = model
  const capped = (fee: bigint) => (fee > dearestGas ? dearestGas : fee)
  const offered = () => capped(2n * weather.gasPrice)
  const isSigned = permits !== 'only'
  return {
    async sign({ sender, nonce, call, purpose = '' }) {
      await checkClient(store, { sender, call, purpose, isSigned })
      return toSigned({ sender, nonce, fee: offered(), call })
    },
    async replace(last, { sender, call, purpose }) {
      const raised = (fromRaw(last.raw).fee * 9n + 7n) / 8n
      const fee = raised > offered() ? raised : offered()
      if (fee > dearestGas) return undefined
      await checkClient(store, { sender, call, purpose, isSigned })
      return toSigned({ sender, nonce: last.nonce, fee, call })
    },
    broadcast: async raw => model.accept(fromRaw(raw)),
    hasGas: async (wallet, { value, gas }) => (state.coin.get(wallet) ?? 0n) >= value + gas * offered(),
    ...(!isBlind && { preflight: async (sender, call) => model.attempt(sender, call) }),
    async isHired({ data }) {
      const asked = fromData(data)
      return asked.name === 'hire' && state.used.has(authorizationOf(asked.terms))
    },
    replaceAfterMs: 12_000,
    resendAfterMs,
  }
}

type Signing = { sender: Address; call: Call; purpose: string; isSigned: boolean }

const trades: ReadonlySet<string> = new Set(['approve', 'buy', 'buyApproved', 'buyWithCoin', 'sell', 'sellForCoin'])

/** The service's signing policy: a hire or a trade requires a consent to exactly its terms, and feedback an ended job. */
const checkClient = async (store: GateStore, { sender, call: { data }, purpose, isSigned }: Signing) => {
  const asked = data === '0x' ? undefined : fromData(data)
  const [subject, id = ''] = purpose.split(':')
  if (asked?.name === 'approve' && subject === 'purchase')
    return checkApproval(await store.purchase?.(id), { store, sender, asked })
  if (asked && trades.has(asked.name)) return checkTrade(store, { id, wallet: sender, data, isSigned })
  if (asked?.name !== 'hire' && asked?.name !== 'feedback') return
  const job = await store.job(id)
  if (!job) throw new SigningRefused('the call does not belong to a job')
  if (asked.name === 'hire') return checkHire(store, asked.terms, job)
  if (!isFinal(job.state)) throw new SigningRefused('feedback belongs to a job that has ended')
}

type Approving = { store: GateStore; sender: Address; asked: { spender: Address; asset: Address; amount: bigint } }

const checkApproval = async (purchase: Purchase | undefined, { store, sender, asked }: Approving) => {
  if (!purchase?.agreedAt || purchase.wallet !== sender || asked.amount < purchase.amount || asked.spender !== places.permit2)
    throw new SigningRefused('the call is not the approval of a purchase')
  const { user, chainId, agreedAt } = purchase
  const permitted = (await store.permittedPurchases?.({ user, chainId, at: agreedAt })) ?? []
  const most = permitted.reduce((sum, it) => sum + it.amount, 0n)
  if (asked.amount > most) throw new SigningRefused(`the approval is for more than ${most}`)
  const digest = toPurchaseDigest(purchase)
  if ((await store.consents(purchase.id)).includes(digest)) return
  if ((await store.mandateYes(purchase.id, digest)) !== purchase.amount)
    throw new SigningRefused(`purchase ${purchase.id} has no yes`)
}

type HireCall = { budget: bigint; jobKey: string; provider: string }

const checkHire = async (store: GateStore, { budget, jobKey, provider }: HireCall, job: Job) => {
  if (budget !== job.budget || jobKey !== job.id || provider !== job.agentWallet)
    throw new SigningRefused(`the call is not the hire of job ${job.id}`)
  const digest = toDigest(job.terms)
  if ((await store.consents(job.runId)).includes(digest) || (await store.mandateYes(job.runId, digest)) === budget) return
  if ((await store.planYes(job.runId, digest)) === budget) return
  throw new SigningRefused(`job ${job.id} has no yes`)
}
