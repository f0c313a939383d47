import { minuteMs } from '../../domain/durations.ts'
import type { Address, Hex } from '../../domain/hex.ts'
import { type Atomic, formatUsdc, parseUsdc } from '../../domain/money/money.ts'
import { type Spending, spentBesides } from '../../domain/money/spending.ts'
import { toDigest } from '../../domain/runs/proposal.ts'
import type { TradeTerms } from '../../domain/tokens/agentToken.ts'
import type {
  Call,
  Chain,
  HireTerms,
  Job,
  OtherToken,
  Purchase,
  PurchaseReads,
  SigningReference,
  Tables,
  TokenReads,
  ValidationReads,
  WalletRole,
} from '../../ports.ts'
import { digestOf, isAgreed } from './agreed.ts'
import { type Commitment, isOf, toCommitment } from './calls.ts'
import { checkFeedback } from './feedback.ts'
import { checkPermit2Approval } from './purchaseApproval.ts'
import { SigningRefused } from './signerPolicy.ts'
import { checkAgreed, checkLaunch, checkTrade } from './tradeGate.ts'
import { checkValidation } from './validations.ts'
import { checkWithdrawal, isToken, isTransfer } from './withdrawing.ts'

/** Spending limits of a client's wallet in decimal USDC: per job, and for all jobs of 24 hours. */
export type SpendingLimits = { job: string; day: string }

/** Far above what tasks cost, but low enough to bound the loss when the service is compromised. */
export const defaultSpending: SpendingLimits = { job: '10000', day: '50000' }

/** The consent that a signature is based on, the amount that the wallet may commit in 24 hours, and what was read of it. */
export type Grant = { reference: SigningReference; maxPerDay: Atomic; seen: Spending }

export type GateDeps = {
  store: Pick<
    Tables,
    | 'job'
    | 'consents'
    | 'consentsOfJob'
    | 'mandateYes'
    | 'planYes'
    | 'runEvents'
    | 'spending'
    | 'withdrawal'
    | 'wasUsable'
    | 'walletByAddress'
    | 'agent'
  > &
    Partial<TokenReads & ValidationReads & PurchaseReads>
  chainId: number
  usdcDecimals: number
  addresses: Chain['addresses']
  /** Tokens that owners take out of their wallets, besides those of agents. */
  others?: readonly OtherToken[]
  spending?: SpendingLimits | undefined
}

/**
 * Checks every signature of a client's wallet. A wallet signs only hires and purchases that its user consented to, directly or
 * by a mandate, for exactly the agreed amount. It also signs withdrawals to its owner, or to an
 * outside address of that owner.
 * @throws SigningRefused
 */
export type ClientGate = {
  grantHire(terms: HireTerms): Promise<Grant>
  grantTrade(terms: TradeTerms): Promise<Grant>
  /** Checks that the stored terms of a purchase, which are those to be signed, equal the terms of the consent. */
  grantPurchase(id: string): Promise<{ grant: Grant; purchase: AgreedPurchase }>
  /**
   * Undefined for calls that commit no money: calls of the platform and of agents, refunds to the wallet itself, and feedback.
   * The same applies to empty transfers to itself and withdrawals of its owner.
   */
  grantCall(of: Asked & { role: WalletRole; purpose: string | undefined }): Promise<Grant | undefined>
  spendingRefusal: NonNullable<Chain['spendingRefusal']>
}

/** A purchase with the authorization that was stored with the consent. */
export type AgreedPurchase = Purchase & { nonce: Hex; validBefore: number }

type Asked = { sender: Address; call: Call }

type Gate = Pick<GateDeps, 'store' | 'chainId' | 'addresses' | 'others'> & { most: { job: Atomic; day: Atomic } }

const grant = async ({ store, chainId, most }: Gate, wallet: Address, reference: SigningReference): Promise<Grant> => {
  const [isGiven, seen] = await Promise.all([isAgreed(store, reference), store.spending({ wallet, chainId })])
  if (!isGiven) throw new SigningRefused(`run ${reference.runId} has no consent to the terms ${reference.digest}`)
  if (reference.amount > most.job) throw new SigningRefused('the amount exceeds the limit per job')
  return { reference, maxPerDay: most.day, seen }
}

type Committing = { sender: Address; commitment: Commitment }

const grantCommitment = async (gate: Gate, job: Job | undefined, { sender, commitment }: Committing) => {
  if (!job) throw new SigningRefused('the call does not belong to a job')
  if (job.userWallet !== sender) throw new SigningRefused(`${sender} is not the wallet of job ${job.id}`)
  if (commitment.amount !== job.budget) throw new SigningRefused(`the amount is not the budget of job ${job.id}`)
  if (commitment.jobKey !== undefined && commitment.jobKey !== job.id) throw new SigningRefused('the call names another job')
  if (commitment.provider !== undefined && commitment.provider.toLowerCase() !== job.agentWallet)
    throw new SigningRefused(`the call pays another wallet than the agent of job ${job.id}`)
  return grant(gate, sender, { runId: job.runId, digest: toDigest(job.terms), amount: job.budget })
}

const grantTrade = async ({ store, chainId, most }: Gate, terms: TradeTerms): Promise<Grant> => {
  const [stored, seen] = await Promise.all([store.tradeOrder?.(terms.id), store.spending({ wallet: terms.wallet, chainId })])
  const order = checkAgreed(stored, terms)
  if (order.amountIn > most.job) throw new SigningRefused('the amount exceeds the limit per job')
  return { reference: { runId: order.id, digest: order.digest, amount: order.amountIn }, maxPerDay: most.day, seen }
}

const grantPurchase = async (gate: Gate, id: string): Promise<{ grant: Grant; purchase: AgreedPurchase }> => {
  const { store, chainId, addresses } = gate
  const purchase = await store.purchase?.(id)
  if (purchase?.state !== 'paying' || purchase.nonce === undefined || purchase.validBefore === undefined)
    throw new SigningRefused(`no purchase ${id} is under way`)
  const { wallet, user, amount, asset, nonce, validBefore } = purchase
  if (purchase.chainId !== chainId || asset !== addresses.usdc)
    throw new SigningRefused(`purchase ${id} is not paid with the USDC of chain ${chainId}`)
  if ((await ownerOf(store, wallet)) !== user) throw new SigningRefused(`${wallet} is not the wallet of ${user}`)
  const reference = { runId: id, digest: digestOf(purchase), amount }
  return { grant: await grant(gate, wallet, reference), purchase: { ...purchase, nonce, validBefore } }
}

/** A call to be signed. Its purpose names a subject and an id, such as `job:job_1:hire`. */
type Purposed = Asked & { role: WalletRole; subject: string; id: string }

/** What one kind of call must fulfil. `check` throws SigningRefused; it returns a grant where the call commits money. */
type Rule = {
  covers(of: Purposed, gate: Gate): boolean
  check(of: Purposed, gate: Gate): Promise<Grant | undefined>
}

const trade: Rule = {
  covers: ({ subject }) => subject === 'trade',
  async check({ id, sender, call }, gate) {
    const order = checkAgreed(await gate.store.tradeOrder?.(id), { id, wallet: sender })
    checkTrade(order, { call, addresses: gate.addresses })
    return order.side === 'buy' && order.asset === 'usdc' ? grantTrade(gate, order) : undefined
  },
}

/** How far the clocks of the service and of its database may be apart. The sum of purchases under way is only an upper bound. */
const clockGapMs = 5 * minuteMs

/** The approval of Permit2 for a purchase that its user consented to, and for those that are under way. */
const purchaseApproval: Rule = {
  covers: ({ subject }) => subject === 'purchase',
  async check({ id, sender, call }, gate) {
    const purchase = await gate.store.purchase?.(id)
    if (purchase?.agreedAt === undefined || purchase.wallet !== sender || purchase.chainId !== gate.chainId)
      throw new SigningRefused(`${sender} has no purchase that needs this approval`)
    const { user, chainId, agreedAt } = purchase
    const permitted = (await gate.store.permittedPurchases?.({ user, chainId, at: agreedAt - clockGapMs })) ?? []
    checkPermit2Approval(purchase, { call, addresses: gate.addresses, permitted })
    return grant(gate, sender, { runId: purchase.id, digest: digestOf(purchase), amount: purchase.amount })
  },
}

const launch: Rule = {
  covers: ({ call }, { addresses: { launchpad } }) => launchpad !== undefined && isOf(call, launchpad),
  async check({ subject, id, sender, call }, { store, addresses }) {
    const order = subject === 'launch' ? await store.launchOrder?.(id) : undefined
    const agent = order && (await store.agent(order.agentKey))
    checkLaunch({ order, agent, sender }, { call, addresses })
    return undefined
  },
}

const withdrawal: Rule = {
  covers({ subject, role, call }) {
    const fundsWallets = role === 'treasury' && call.data === '0x'
    return subject === 'withdraw' || (isTransfer(call) && !fundsWallets)
  },
  async check({ subject, id, sender, call }, { store, chainId, addresses, others = [] }) {
    const asked = subject === 'withdraw' ? await store.withdrawal(id) : undefined
    const owner = await ownerOf(store, sender)
    await checkWithdrawal(asked, { call, sender, owner, addresses, wasUsable: store.wasUsable })
    const isListed = others.some(it => it.address === asked?.asset)
    if (asked && isToken(asked.asset) && !isListed && !(await store.token?.(chainId, asked.asset)))
      throw new SigningRefused(`${asked.asset} is neither the token of an agent nor one of the list`)
    return undefined
  },
}

const validation: Rule = {
  covers: ({ call }, { addresses }) => addresses.validation !== undefined && isOf(call, addresses.validation),
  async check({ subject, id, sender, call }, { store }) {
    checkValidation(subject === 'job' ? await store.validation?.(id) : undefined, { sender, call })
    return undefined
  },
}

/** Calls of the platform and of agents commit no money of a client. */
const platform: Rule = { covers: ({ role }) => role !== 'user', check: async () => undefined }

const jobOf = async ({ subject, id }: Purposed, { store }: Gate) => (subject === 'job' ? store.job(id) : undefined)

/** The job of a hire, and what its grant reads, in one round trip. */
const readHire = async (of: Purposed, gate: Gate) => {
  const { store, chainId } = gate
  const [job, consents, seen] = await Promise.all([
    jobOf(of, gate),
    store.consentsOfJob(of.id),
    store.spending({ wallet: of.sender, chainId }),
  ])
  return { job, consents: async () => consents, spending: async () => seen }
}

const feedback: Rule = {
  covers: ({ call }, { addresses }) => isOf(call, addresses.reputation),
  async check(of, gate) {
    checkFeedback(await jobOf(of, gate), of)
    return undefined
  },
}

const hire: Rule = {
  covers: () => true,
  async check(of, gate) {
    const { sender } = of
    const commitment = toCommitment(of.call, gate.addresses)
    if (!commitment) return undefined
    const { job, ...known } = await readHire(of, gate)
    return grantCommitment({ ...gate, store: { ...gate.store, ...known } }, job, { sender, commitment })
  },
}

/**
 * The first rule that covers a call decides. The last one covers every call of a user, so none of them is signed without a
 * check.
 */
const rules: readonly Rule[] = [trade, purchaseApproval, launch, withdrawal, validation, platform, feedback, hire]

const spendingRefusal = async (
  { store, chainId, most }: Gate,
  { client, budget, runId }: Parameters<ClientGate['spendingRefusal']>[0],
  say: (amount: Atomic) => string,
): Promise<string | undefined> => {
  if (budget > most.job) return `A job may cost at most ${say(most.job)} here, but this one costs ${say(budget)}.`
  const spent = spentBesides(await store.spending({ wallet: client, chainId }), runId)
  if (spent + budget <= most.day) return undefined
  return `Your wallet may commit at most ${say(most.day)} in 24 hours and has already committed ${say(spent)}.`
}

/**
 * Creates the check that permits transactions of clients' wallets only with a recorded consent and within the spending limits.
 * @throws RangeError for a limit with more decimals than USDC has on the chain
 */
export const createClientGate = ({ usdcDecimals, spending = defaultSpending, ...deps }: GateDeps): ClientGate => {
  const atomic = (decimal: string) => {
    const parsed = parseUsdc(decimal, usdcDecimals)
    if (parsed === undefined) throw new RangeError(`a spending limit of ${decimal} does not fit ${usdcDecimals} decimals`)
    return parsed
  }
  const gate: Gate = { ...deps, most: { job: atomic(spending.job), day: atomic(spending.day) } }
  return {
    async grantHire({ authorized, budget, client }) {
      if (!authorized) throw new SigningRefused('the hire lacks the consent of its user')
      return grant(gate, client, { ...authorized, amount: budget })
    },
    grantTrade: terms => grantTrade(gate, terms),
    grantPurchase: id => grantPurchase(gate, id),

    async grantCall({ role, sender, call, purpose = '' }) {
      const [subject = '', id = ''] = purpose.split(':')
      const of = { role, sender, call, subject, id }
      const rule = rules.find(it => it.covers(of, gate))
      if (!rule) throw new SigningRefused('no rule covers the call')
      return rule.check(of, gate)
    },

    spendingRefusal: of => spendingRefusal(gate, of, amount => `${formatUsdc(amount, usdcDecimals)} USDC`),
  }
}

/** The user who may withdraw from a custodial wallet: its user, or the owner of its agent. */
const ownerOf = async (store: Pick<Tables, 'walletByAddress' | 'agent'>, sender: Address): Promise<string | undefined> => {
  const wallet = await store.walletByAddress(sender)
  return wallet?.role === 'agent' ? (await store.agent(wallet.owner))?.owner : wallet?.owner
}
