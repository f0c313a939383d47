import type { AgentId } from '../../domain/agentId.ts'
import type { Address } from '../../domain/hex.ts'
import type { Dialer } from '../../ports.ts'
import type { WorkIndex } from '../workIndex.ts'
import type { DirectCalls } from './directCalls.ts'
import type { Externals } from './externals.ts'
import type { Presence } from './presence.ts'

/** An agent as the gateway knows it. In strict mode only its owner, or whoever has its secret, acts for it. */
export type Known = { agent: { id: AgentId; key: string; owner: Address; handle: string } | undefined; isStrict: boolean }

export type Access = {
  /** By any form of its name; remembered, so that a poll reads nothing. */
  find(text: string): Promise<Known>
  /** As `find`, out of memory alone; undefined when it is not remembered. */
  remembered(text: string): Known | undefined
  /** The key of the agent whose secret this is. @throws Problem invalid-token */
  ofSecret(secret: string): Promise<string>
  /** What is remembered is read again: a mode or a secret was changed. */
  forget(): void
}

/** What the gateway keeps in memory, and its way to agents with an address of their own. */
export type Gateway = {
  access: Access
  presence: Presence
  externals: Externals
  tasks: WorkIndex
  dialer: Dialer
  direct: DirectCalls
}
