import type { AccountEventKind } from '../domain/access/scopes.ts'
import type { AgentId } from '../domain/agents/agentId.ts'
import type { Address } from '../domain/hex.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Tables } from './store.ts'

/** What a user reported about an agent. */
export type AgentReport = { agentId: AgentId; reason: string; words: string; at: number }

/** What a feature keeps of a person, for the person's own copy and for its deletion. */
export type Personal = {
  name: string
  read(tables: Tables, wallet: Address): Promise<JsonObject[]>
  forget(tables: Tables, wallet: Address): Promise<void>
}

/** What the owner of an account is told about it. `seq` ascends in the order of telling; times are epoch ms. */
export type AccountEvent = { seq: number; kind: AccountEventKind; text: string; createdAt: number }

/** What accounts are told, and the limit that their owners set. */
export type AccountEventTables = {
  /** Tells a wallet something. Of each kind the newest are kept, so that no kind hides another one. */
  addAccountEvent(of: { wallet: Address; kind: AccountEventKind; text: string }): Promise<void>
  /** Newest first. */
  accountEvents(of: { wallet: Address; limit: number }): Promise<AccountEvent[]>
  /** The limit above which a yes of the wallet needs a passkey, in decimal USDC; undefined where none was set. */
  yesLimit(wallet: Address): Promise<string | undefined>
  /** Sets the limit, unless another write changed it from `before`; false then. */
  setYesLimit(wallet: Address, of: { usdc: string; before: string | undefined }): Promise<boolean>
}
