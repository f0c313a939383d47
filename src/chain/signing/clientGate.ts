import { decodeFunctionData } from 'viem'
import type { Address } from '../../domain/hex.ts'
import { type Atomic, formatUsdc, parseUsdc } from '../../domain/money.ts'
import { toDigest } from '../../domain/proposal.ts'
import type { Call, Chain, HireTerms, Job, SigningReference, Tables, WalletRole } from '../../ports.ts'
import { jobEscrowAbi } from '../contracts/artifacts/JobEscrow.ts'
import { testUsdcAbi } from '../contracts/artifacts/TestUsdc.ts'
import { checkFeedback } from './feedback.ts'
import { SigningRefused } from './signerPolicy.ts'
import { checkWithdrawal, readTransfer } from './withdrawing.ts'

/** What a client's wallet may commit, decimal USDC: for one job, and for all jobs of 24 hours. */
export type SpendingLimits = { job: string; day: string }

/** Far above what tasks cost, far below what a stolen service could move in a night. */
export const defaultSpending: SpendingLimits = { job: '10000', day: '50000' }

/** A reason to sign for a client, and the sum that its wallet may commit in 24 hours. */
export type Grant = { reference: SigningReference; mostADay: Atomic }

export type GateDeps = {
  store: Pick<Tables, 'job' | 'consents' | 'mandateYes' | 'spentToday' | 'withdrawal' | 'walletByAddress' | 'agent'>
  chainId: number
  usdcDecimals: number
  addresses: Chain['addresses']
  spending?: SpendingLimits | undefined
}

/**
 * The gate in front of clients' wallets: they sign for what their user said yes to, or a mandate of
 * theirs, for exactly that amount, and for nothing else but what goes to its owner, as that of an agent does. Throws
 * SigningRefused.
 */
export type ClientGate = {
  grantHire(terms: HireTerms): Promise<Grant>
  /**
   * Undefined for calls that commit nothing: those of the platform and of agents, a refund to the wallet itself, an empty
   * transfer to itself, feedback, a withdrawal to the wallet's owner.
   */
  grantCall(of: Asked & { role: WalletRole; purpose: string | undefined }): Promise<Grant | undefined>
  spendingRefusal: NonNullable<Chain['spendingRefusal']>
}

type Asked = { sender: Address; call: Call }

export const createClientGate = ({
  store,
  chainId,
  usdcDecimals,
  addresses,
  spending = defaultSpending,
}: GateDeps): ClientGate => {
  const atomic = (decimal: string) => {
    const parsed = parseUsdc(decimal, usdcDecimals)
    if (parsed === undefined) throw new RangeError(`a spending limit of ${decimal} does not fit ${usdcDecimals} decimals`)
    return parsed
  }
  const most = { job: atomic(spending.job), day: atomic(spending.day) }

  /** The user's own yes to these terms, or that of a mandate which was drawn on for exactly this amount. */
  const isAgreed = async ({ runId, digest, amount }: SigningReference) =>
    (await store.consents(runId)).includes(digest) || (await store.mandateYes(runId, digest)) === amount

  const grant = async (reference: SigningReference): Promise<Grant> => {
    if (!(await isAgreed(reference)))
      throw new SigningRefused(`run ${reference.runId} has no yes to the terms ${reference.digest}`)
    if (reference.amount > most.job) throw new SigningRefused('the amount is above the limit of one job')
    return { reference, mostADay: most.day }
  }

  const grantCommitment = async (job: Job | undefined, { sender, commitment }: { sender: Address; commitment: Commitment }) => {
    if (!job) throw new SigningRefused('the call belongs to no job')
    if (job.userWallet !== sender) throw new SigningRefused(`${sender} is not the wallet of job ${job.id}`)
    if (commitment.amount !== job.budget) throw new SigningRefused(`the amount is not the budget of job ${job.id}`)
    if (commitment.jobKey !== undefined && commitment.jobKey !== job.id) throw new SigningRefused('the call names another job')
    if (commitment.provider !== undefined && commitment.provider.toLowerCase() !== job.agentWallet)
      throw new SigningRefused(`the call pays another wallet than the agent of job ${job.id}`)
    return grant({ runId: job.runId, digest: toDigest(job.terms), amount: job.budget })
  }

  return {
    async grantHire({ authorized, budget }) {
      if (!authorized) throw new SigningRefused('a hire without the yes of its user')
      return grant({ ...authorized, amount: budget })
    },

    async grantCall({ role, sender, call, purpose = '' }) {
      const [subject, id = ''] = purpose.split(':')
      const transfer = readTransfer(call, addresses.usdc)
      if (transfer) {
        const asked = subject === 'withdraw' ? await store.withdrawal(id) : undefined
        return void checkWithdrawal(asked, { ...transfer, sender, owner: await ownerOf(store, sender) })
      }
      if (role !== 'user') return undefined
      const jobOf = async () => (subject === 'job' ? store.job(id) : undefined)
      if (isOf(call, addresses.reputation)) return void checkFeedback(await jobOf(), { sender, call })
      const commitment = toCommitment(call, addresses)
      return commitment && grantCommitment(await jobOf(), { sender, commitment })
    },

    async spendingRefusal({ client, budget, runId }) {
      const say = (amount: Atomic) => `${formatUsdc(amount, usdcDecimals)} USDC`
      if (budget > most.job) return `One job may cost ${say(most.job)} at most here, and this one costs ${say(budget)}.`
      const spent = await store.spentToday({ wallet: client, chainId, exceptRun: runId })
      if (spent + budget <= most.day) return undefined
      return `Your wallet may commit ${say(most.day)} in 24 hours, of which ${say(spent)} are committed.`
    },
  }
}

/** Who may take out what a custodial wallet holds: its user, or the owner of its agent. */
const ownerOf = async (store: Pick<Tables, 'walletByAddress' | 'agent'>, sender: Address): Promise<string | undefined> => {
  const wallet = await store.walletByAddress(sender)
  return wallet?.role === 'agent' ? (await store.agent(wallet.owner))?.owner : wallet?.owner
}

const isOf = ({ to, data }: Call, contract: Address) => data !== '0x' && to?.toLowerCase() === contract.toLowerCase()

/** What a client's call would commit. */
type Commitment = { amount: Atomic; jobKey: string | undefined; provider: string | undefined }

const toCommitment = ({ to, data }: Call, { usdc }: Chain['addresses']): Commitment | undefined => {
  if (data === '0x') return undefined
  if (to?.toLowerCase() === usdc) {
    const { functionName, args } = decodeFunctionData({ abi: testUsdcAbi, data })
    if (functionName !== 'approve') throw new SigningRefused(`a client's wallet does not sign ${functionName}`)
    return { amount: args[1], jobKey: undefined, provider: undefined }
  }
  const { functionName, args } = decodeFunctionData({ abi: jobEscrowAbi, data })
  switch (functionName) {
    case 'claimRefund':
      return undefined
    case 'createAndFund':
      return { amount: args[4], jobKey: args[3], provider: args[0] }
    case 'createAndFundWithAuthorization': {
      const [{ budget: amount, description: jobKey, provider }] = args
      return { amount, jobKey, provider }
    }
    default:
      throw new SigningRefused(`a client's wallet does not sign ${functionName}`)
  }
}
