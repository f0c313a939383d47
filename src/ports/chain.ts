import type { Address, Hex } from '../domain/hex.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Atomic } from '../domain/money.ts'
import type { Call, Mined, SignedTransaction, WalletRole } from './rows.ts'

/** Who agreed to what, as the escrow contract is told it. Times in epoch ms. */
export type HireTerms = {
  jobId: string
  client: Address
  provider: Address
  budget: Atomic
  expiresAt: number
  /** Whose yes to which terms it is; a signer that keeps a record refuses a hire without it. */
  authorized?: { runId: string; digest: string }
}

/** `value` 0–100; `file` is what stands at `uri`, byte for byte. */
export type Feedback = { agentNumber: bigint; value: number; tags: [string, string]; uri: string; file: string }

export type ChainEvent = { txHash: Hex; blockNumber: bigint; blockHash: Hex; logIndex: number } & (
  | { name: 'JobCreated'; chainJobId: bigint; client: Address; provider: Address; jobKey: string }
  | { name: 'JobFunded'; chainJobId: bigint; client: Address; amount: Atomic }
  | { name: 'JobSubmitted'; chainJobId: bigint; deliverable: Hex }
  | { name: 'PaymentReleased'; chainJobId: bigint; provider: Address; amount: Atomic }
  | { name: 'Refunded'; chainJobId: bigint; client: Address; amount: Atomic }
)

/** An event with its number within its transaction instead of its block: there it stays in whatever block it is mined. */
export type PlacedEvent = ChainEvent extends infer E
  ? E extends ChainEvent
    ? Omit<E, 'logIndex'> & { place: number }
    : never
  : never

/** An ERC-8183 job as the contract holds it. */
export type ChainJob = {
  client: Address
  provider: Address
  evaluator: Address
  budget: Atomic
  expiresAt: number
  status: 'open' | 'funded' | 'submitted' | 'completed' | 'rejected' | 'expired'
}

export type Receipt = Mined & { hash: Hex; success: boolean; blockHash: Hex }

/** One chain: calls to make, bytes to send, facts to look at. Throws Problem chain-unavailable when it does not answer. */
export type Chain = {
  chainId: number
  usdcDecimals: number
  /** Where the public sees this chain: `<explorer>/tx/<hash>`. Absent on the embedded chain, which nobody else sees. */
  explorer?: string | undefined
  addresses: { escrow: Address; usdc: Address; registry: Address; reputation: Address }
  evaluator: Address
  treasury: Address
  /** Platform fee in basis points of the budget, taken from the payout. */
  feeBps: number

  // calls, not yet sent
  /** createJob, setBudget and fund in one transaction of the client's proxy wallet. */
  hire(terms: HireTerms): Promise<Call>
  /** The approval that the client's wallet sends right before a hire, on tokens that take no signed authorization. */
  approve?: (amount: Atomic) => Call
  submit(chainJobId: bigint, deliverable: string): Call
  complete(chainJobId: bigint, reason: string): Call
  reject(chainJobId: bigint, reason: string): Call
  claimRefund(chainJobId: bigint): Call
  /** Mints the ERC-8004 identity to the owner with the agent wallet proven by its own signature. */
  registerAgent(agent: { owner: Address; wallet: Address; uri: string }): Promise<Call>
  /** Who sends it: the treasury when absent, or the agent's wallet, which then holds the identity (canonical registries). */
  registrar?: 'treasury' | 'agent'
  /** Says in the ERC-8004 reputation registry what a client thinks of an agent. Absent where there is none. */
  giveFeedback?: (feedback: Feedback) => Call
  /** USDC of a custodial wallet for its owner. Absent where none can be taken out. */
  withdraw?: (to: Address, amount: Atomic) => Call
  /** Native coin for a custodial wallet that has to send. */
  topUp(wallet: Address): Call
  /** Test USDC for a new user; undefined on chains with real money. */
  faucet: ((to: Address, amount: Atomic) => Call) | undefined

  // sending
  /** Signs a call under a nonce. `purpose` is the key of its intent, from which a client's authorization is looked up. */
  sign(sender: Address, nonce: number, call: Call, purpose?: string): Promise<SignedTransaction>
  /** Sends signed bytes. Sending the same bytes again is harmless. Throws BroadcastRefused when the node does not take them. */
  broadcast(raw: Hex): Promise<void>
  /** The same call under the same nonce for a higher fee; undefined when the ceiling allows none. Absent where fees move nothing. */
  replace?: (
    last: SignedTransaction,
    of: { sender: Address; call: Call; purpose: string },
  ) => Promise<SignedTransaction | undefined>
  /** Tries a call at the newest block: why it would fail, or undefined. Absent where nothing can be tried. */
  preflight?: (sender: Address, call: Call) => Promise<string | undefined>
  /** As transactionCount, of the newest block that lies deep enough to be believed. Absent where every block does. */
  confirmedCount?: (address: Address) => Promise<number>
  /** Whether the chain holds the job of a hire that was signed, whoever sent it. Absent where nobody else can send one. */
  isHired?: (hire: Call) => Promise<boolean>
  /** Why a client's wallet may not commit this amount now, in words; undefined when it may. Absent where nothing is limited. */
  spendingRefusal?: (of: { client: Address; budget: Atomic; runId: string }) => Promise<string | undefined>
  /** A transaction that waited for so long is replaced by one with a higher fee. */
  replaceAfterMs?: number | undefined
  /** Bytes that were sent and not seen mined are sent again after this time. */
  resendAfterMs?: number | undefined
  receipt(hash: Hex): Promise<Receipt | undefined>
  transactionCount(address: Address): Promise<number>
  /** Whether the wallet can pay for one more transaction. */
  hasGas(wallet: Address, call: Call): Promise<boolean>

  // looking
  head(): Promise<{ number: bigint; hash: Hex; timeMs: number }>
  blockHash(number: bigint): Promise<Hex | undefined>
  events(from: bigint, to: bigint): Promise<ChainEvent[]>
  /** What lies above the head that is believed, as the node has it now. Absent where everything is believed at once. */
  unconfirmedEvents?: () => Promise<ChainEvent[]>
  job(chainJobId: bigint): Promise<ChainJob>
  /** From when anyone may send claimRefund, in epoch ms; undefined when the escrow holds nothing for the job. */
  refundableAt?: (chainJobId: bigint) => Promise<number | undefined>
  /** The id in the Registered event of a mined registration; undefined when there is none. */
  registeredAgent(txHash: Hex): Promise<bigint | undefined>
  usdcBalance(of: Address): Promise<Atomic>
  usdcSupply(): Promise<Atomic>
  /** Native coin in wei. Absent where a chain has none. */
  coinBalance?: (of: Address) => Promise<bigint>
  /** What a contract answers to a call that changes nothing; undefined when it refuses. Absent where nothing can be asked. */
  ask?: (to: Address, question: Hex) => Promise<Hex | undefined>
}

/** Secrets at rest: sealed under the master key, bound to what they belong to. Opening with another key or purpose throws. */
export type Sealer = { seal(plain: string, purpose: string): string; open(sealed: string, purpose: string): string }

/** EIP-712 data as JSON has it. */
export type TypedText = {
  domain: JsonObject
  types: Record<string, { name: string; type: string }[]>
  primaryType: string
  message: JsonObject
}

/** Custodial keys. Nobody outside the chain folder sees one. */
export type Wallets = {
  /** The custodial wallet of (role, owner), made on first use. */
  ensure(role: WalletRole, owner: string): Promise<Address>
  /** Signs a text per EIP-191. Whoever asks has checked that the wallet may. Absent where wallets have no keys. */
  signText?: (wallet: Address, text: string) => Promise<Hex>
  /** Signs typed data per EIP-712; undefined when it is none. Whoever asks has checked that the wallet may. */
  signTypedData?: (wallet: Address, typed: TypedText) => Promise<Hex | undefined>
}

/** Who signed a text per EIP-191; undefined when the signature is malformed or has a high s. */
export type RecoverSigner = (message: string, signature: Hex) => Promise<Address | undefined>
