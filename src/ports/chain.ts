import type { Address, Hex } from '../domain/hex.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Atomic } from '../domain/money/money.ts'
import type { Call, Mined, SignedTransaction, WalletRole } from './rows.ts'
import type { Launchpad } from './tokens.ts'
import type { AuthorizedTransfers, PermittedTransfers, UptoTransfers } from './transfers.ts'
import type { HeldAsset } from './withdrawals.ts'

/** The terms of a hire as the escrow contract gets them. Times in epoch ms. */
export type HireTerms = {
  jobId: string
  client: Address
  provider: Address
  budget: Atomic
  expiresAt: number
  /** The user's consent: its run and the digest of the terms. A signer that keeps a record requires it. */
  authorized?: { runId: string; digest: string }
}

/** `value` 0–100; `file` is the exact content at `uri`. */
export type Feedback = { agentNumber: bigint; value: number; tags: [string, string]; uri: string; file: string }

/** Verdicts of the evaluator in the ERC-8004 validation registry. */
export type Validations = {
  /** Keccak-256 of a text in UTF-8, as `submit` uses it for a deliverable. */
  hash(text: string): Hex
  /** The agent's wallet requests a validation by the evaluator. `requestHash` is the hash of the file at `uri`. */
  request(of: { agentNumber: bigint; uri: string; requestHash: Hex }): Call
  respond(of: { requestHash: Hex; response: number }): Call
  /** Count and average of the evaluator's responses about an agent, read from the registry at the newest block. */
  summary(agentNumber: bigint): Promise<{ count: number; average: number }>
}

export type ChainEvent = { txHash: Hex; blockNumber: bigint; blockHash: Hex; logIndex: number } & (
  | { name: 'JobCreated'; chainJobId: bigint; client: Address; provider: Address; jobKey: string }
  | { name: 'JobFunded'; chainJobId: bigint; client: Address; amount: Atomic }
  | { name: 'JobSubmitted'; chainJobId: bigint; deliverable: Hex }
  | { name: 'PaymentReleased'; chainJobId: bigint; provider: Address; amount: Atomic }
  | { name: 'UnusedReturned'; chainJobId: bigint; client: Address; amount: Atomic }
  | { name: 'Refunded'; chainJobId: bigint; client: Address; amount: Atomic }
)

/** A token that pays for nothing here and that people send by mistake. */
export type OtherToken = { address: Address; symbol: string; decimals: number }

/** A transfer of USDC, or of another token where one is named, with its time in epoch ms. */
export type TokenTransfer = UsdcTransfer & { token?: OtherToken | undefined }

/** A transfer of USDC, with its time in epoch ms. */
export type UsdcTransfer = {
  from: Address
  to: Address
  amount: Atomic
  txHash: Hex
  blockNumber: bigint
  blockHash: Hex
  logIndex: number
  at: number
}

/**
 * An event with its index within its transaction instead of its block. The index stays the same in whatever block it is mined.
 */
export type PlacedEvent = ChainEvent extends infer E
  ? E extends ChainEvent
    ? Omit<E, 'logIndex'> & { place: number }
    : never
  : never

/** An ERC-8183 job as stored by the contract. */
export type ChainJob = {
  client: Address
  provider: Address
  evaluator: Address
  budget: Atomic
  expiresAt: number
  status: 'open' | 'funded' | 'submitted' | 'completed' | 'rejected' | 'expired'
}

export type Receipt = Mined & { hash: Hex; success: boolean; blockHash: Hex }

/**
 * Contracts of a chain. Launchpad and wrapped coin are absent where tokens are not offered, and the validation registry where
 * none is configured.
 */
export type ContractAddresses = {
  escrow: Address
  usdc: Address
  registry: Address
  reputation: Address
  validation?: Address | undefined
  launchpad?: Address | undefined
  wrappedCoin?: Address | undefined
}

/** Wallets that may be too many to name. */
export type WalletSet = {
  /** All of them; undefined when they are more than `limit`. */
  upTo(limit: number): Promise<Address[] | undefined>
  /** Those of these accounts that are among them. */
  among(accounts: Address[]): Promise<Address[]>
}

/**
 * One chain: calls to encode, transactions to send, state to read.
 * @throws Problem chain-unavailable when the node does not answer
 */
export type Chain = {
  chainId: number
  usdcDecimals: number
  /** Base URL of the public block explorer: `<explorer>/tx/<hash>`. Absent on the embedded chain. */
  explorer?: string | undefined
  addresses: ContractAddresses
  /** Absent where no launchpad of agent tokens is configured. */
  launchpad?: Launchpad
  /** A closed list of tokens besides USDC that owners take out of their wallets. Absent where the list is empty. */
  others?: { tokens: readonly OtherToken[] } & Pick<Launchpad, 'balance'>
  evaluator: Address
  treasury: Address
  /** Platform fee in basis points of the budget, deducted from the payout. */
  feeBps: number

  // Calls to encode.
  /** createJob, setBudget and fund in one transaction for the client's custodial wallet. */
  hire(terms: HireTerms): Promise<Call>
  /** The approval that the client's wallet sends right before a hire, on tokens without signed authorizations. */
  approve?: (amount: Atomic) => Call
  submit(chainJobId: bigint, deliverable: string): Call
  complete(chainJobId: bigint, reason: string): Call
  /** Pays a part of the budget and returns the rest in one transaction. Absent where an older escrow cannot. */
  completeUsed?: (chainJobId: bigint, used: Atomic, reason: string) => Call
  reject(chainJobId: bigint, reason: string): Call
  claimRefund(chainJobId: bigint): Call
  /** Mints the agent's ERC-8004 identity to its owner. The agent's wallet proves its consent by a signature. */
  registerAgent(agent: { owner: Address; wallet: Address; uri: string }): Promise<Call>
  /**
   * The sender of registrations: the treasury when absent, or the agent's wallet, which then owns the identity (canonical
   * registries).
   */
  registrar?: 'treasury' | 'agent'
  /** Gives a client's feedback in the ERC-8004 reputation registry. Absent where there is none. */
  giveFeedback?: (feedback: Feedback) => Call
  /** Absent where there is no validation registry. */
  validations?: Validations
  /** Transfers an asset of a custodial wallet to its owner. Absent where withdrawals are not supported. */
  withdraw?: (asset: HeldAsset, to: Address, amount: Atomic) => Call
  /**
   * Whether a mined transaction moved this amount of a token, as its receipt says; undefined if the node knows no receipt. Absent
   * where receipts have no events.
   */
  hasMoved?: (hash: Hex, of: { token: Address; from: Address; to: Address; value: Atomic }) => Promise<boolean | undefined>
  /** Absent where the token has no signed authorizations. */
  authorized?: AuthorizedTransfers
  /** Absent where Permit2 or the proxy of x402 is not deployed. */
  permitted?: PermittedTransfers
  /** Absent where Permit2 or the proxy of x402 for the scheme `upto` is not deployed. */
  upto?: UptoTransfers
  /** Transfers native coin to a custodial wallet for its gas. */
  topUp(wallet: Address): Call
  /** Mints test USDC for a new user; undefined on chains with real money. */
  faucet: ((to: Address, amount: Atomic) => Call) | undefined

  // Transactions to send.
  /**
   * Signs a call with a nonce. `purpose` is the key of its intent, which identifies the client's consent.
   * @throws SigningRefused
   */
  sign(of: { sender: Address; nonce: number; call: Call; purpose?: string }): Promise<SignedTransaction>
  /**
   * Broadcasts a signed transaction. Repeating it is harmless.
   * @throws BroadcastRefused when the node does not accept it
   */
  broadcast(raw: Hex): Promise<void>
  /** Signs the same call with the same nonce and higher fees; undefined above the fee limit. Absent where fees have no effect. */
  replace?: (
    last: SignedTransaction,
    of: { sender: Address; call: Call; purpose: string },
  ) => Promise<SignedTransaction | undefined>
  /**
   * Simulates a call on the pending block. Returns the reason for a revert, or undefined. Absent where calls cannot be
   * simulated.
   */
  preflight?: (sender: Address, call: Call) => Promise<string | undefined>
  /** Like `transactionCount`, at the newest confirmed block. Absent where every block counts as confirmed. */
  confirmedCount?: (address: Address) => Promise<number>
  /** Whether the job of a signed hire exists on chain, whoever sent it. Absent where only this service can send it. */
  isHired?: (hire: Call) => Promise<boolean>
  /** The reason why a client's wallet may not commit this amount now; undefined when it may. Absent without spending limits. */
  spendingRefusal?: (of: { client: Address; budget: Atomic; runId: string }) => Promise<string | undefined>
  /** A transaction that is not mined is replaced with higher fees after this time in ms. */
  replaceAfterMs?: number | undefined
  /** A transaction that is not mined is broadcast again after this time in ms. */
  resendAfterMs?: number | undefined
  receipt(hash: Hex): Promise<Receipt | undefined>
  transactionCount(address: Address): Promise<number>
  /** Whether the wallet can pay the gas of one more transaction. */
  hasGas(wallet: Address, call: Call): Promise<boolean>

  // State to read.
  head(): Promise<{ number: bigint; hash: Hex; timeMs: number }>
  blockHash(number: bigint): Promise<Hex | undefined>
  events(from: bigint, to: bigint): Promise<ChainEvent[]>
  /** Events above the confirmed head, which may still disappear. Absent where every block counts as confirmed. */
  unconfirmedEvents?: () => Promise<ChainEvent[]>
  job(chainJobId: bigint): Promise<ChainJob>
  /** Time from which claimRefund succeeds, in epoch ms; undefined when the escrow holds no money for the job. */
  refundableAt?: (chainJobId: bigint) => Promise<number | undefined>
  /** The id in the Registered event of a mined registration; undefined when there is none. */
  registeredAgent(txHash: Hex): Promise<bigint | undefined>
  usdcBalance(of: Address): Promise<Atomic>
  /**
   * Transfers of USDC from or to any of these wallets, and of the other tokens to them, in chain order. Absent where receipts
   * have no events.
   */
  transfers?: (of: WalletSet, from: bigint, to: bigint) => Promise<TokenTransfer[]>
  usdcSupply(): Promise<Atomic>
  /** The most that a signed transaction costs its sender in wei: its value, and its gas limit at its highest fee. */
  maxCost?: (raw: Hex) => bigint
  /** Native coin in wei. Absent where a chain has none. */
  coinBalance?: (of: Address) => Promise<bigint>
  /** Calls a contract without a transaction (eth_call); undefined when it reverts. Absent where calls are not supported. */
  ask?: (to: Address, question: Hex) => Promise<Hex | undefined>
  /**
   * Whether a wallet that is a contract accepts a signature of a text (ERC-1271), or would accept it once it is deployed
   * (ERC-6492). Absent where calls are not supported.
   * @throws Problem chain-unavailable
   */
  acceptsSignature?: (of: { wallet: Address; message: string; signature: Hex }) => Promise<boolean>
}

/** Encrypts secrets with the master key, bound to their purpose. Opening with another key or purpose throws. */
export type Sealer = { seal(plain: string, purpose: string): string; open(sealed: string, purpose: string): string }

/** EIP-712 typed data in its JSON form. */
export type TypedText = {
  domain: JsonObject
  types: Record<string, { name: string; type: string }[]>
  primaryType: string
  message: JsonObject
}

/** Custodial wallets. Their keys never leave the chain folder. */
export type Wallets = {
  /** The custodial wallet of (role, owner), created on first use. */
  ensure(role: WalletRole, owner: string): Promise<Address>
  /** A new wallet of a user who has no other one: its owner is its own address. Absent where wallets have no keys. */
  create?: () => Promise<Address>
  /** Signs a text per EIP-191. The caller has checked the permission. Absent where wallets have no keys. */
  signText?: (wallet: Address, text: string) => Promise<Hex>
  /** Signs typed data per EIP-712; undefined when it is malformed. The caller has checked the permission. */
  signTypedData?: (wallet: Address, typed: TypedText) => Promise<Hex | undefined>
}

/** Recovers the signer of a text (EIP-191); undefined when the signature is malformed or has a high s. */
export type RecoverSigner = (message: string, signature: Hex) => Promise<Address | undefined>
