import type { AgentId } from '../domain/agentId.ts'
import type { Address } from '../domain/hex.ts'
import type { Json, JsonObject } from '../domain/json.ts'
import type { PushCall } from '../domain/pushTurns.ts'
import type { Dialer } from './outside.ts'
import type { Job, ListedAgent } from './rows.ts'

/** How a task stands, in the words that existing clients read. */
export type TaskState = 'pending' | 'working' | 'completed' | 'failed' | 'canceled'

/** A message that waits at the gateway for an agent. */
export type GatewayTask = {
  /** 128 random bits, told to the agent alone: who knows it may complete the task. */
  id: string
  /** What its submitter calls it: who knows it may read the result, or cancel. */
  name: string
  /** Whose it is: an agent's id, or `external:<handle>` of one that is not registered. */
  queue: string
  payload: Json
  state: TaskState
  attempt: number
  result: Json | undefined
  /** Why it failed; else empty. */
  error: string
  createdAt: number
  updatedAt: number
}
export type TaskEnd = { state: 'completed' | 'failed' | 'canceled'; result?: Json | undefined; error?: string }

/** How an agent's gateway calls are authenticated, as its owner wants it. */
export type AgentAccess = {
  isStrict: boolean
  /** The owner wants the gateway open, so that a credential does not make it strict. */
  keepsOpen: boolean
  secretHash: string | undefined
}

/** A job that is due at its agent's own address, and how often it was sent there. */
export type DuePush = PushCall & { submitBy: number; pushes: number }

export type GatewayTables = {
  /** Inserts unless the name exists; undefined when it does. */
  addTask(task: Pick<GatewayTask, 'id' | 'name' | 'queue' | 'payload'>): Promise<GatewayTask | undefined>
  task(idOrName: string): Promise<GatewayTask | undefined>
  /** How many tasks wait in a queue. Inside a transaction nobody else who asks so adds one before its end. */
  holdWaitingTasks(queue: string): Promise<number>
  /** The next task of a queue, leased; counts the attempt before the work. */
  leaseTask(queue: string): Promise<GatewayTask | undefined>
  /** One conditional write: the first end stands. Only who was given a task completes it; a waiting one can be cancelled. */
  endTask(id: string, end: TaskEnd): Promise<GatewayTask | undefined>
  queuesWithTasks(): Promise<string[]>
  /** Agents whose id ends in this number; two at most, which is one too many. */
  agentIdsByNumber(number: string): Promise<AgentId[]>
  /** Offers again what an agent let lapse, ends what nobody does, drops what ended long ago. @returns what it ended */
  sweepTasks(): Promise<GatewayTask[]>
  /** Calls of users that wait for an agent with an address of its own, oldest first. */
  callableTasks(limit: number): Promise<GatewayTask[]>
  /** As leaseTask, for this task alone. */
  leaseCall(id: string): Promise<GatewayTask | undefined>

  agentAccess(agentKey: string): Promise<AgentAccess>
  /** Writes what is named; a secret of null is revoked. */
  putAgentAccess(agentKey: string, patch: { isStrict: boolean } | { secretHash: string | null }): Promise<void>
  /** Makes the agent strict unless its owner keeps it open; true when that changed it. */
  latchAgent(agentKey: string): Promise<boolean>
  agentKeyOfSecret(secretHash: string): Promise<string | undefined>

  /** Jobs that are due at their agent's own address, paid ones first and then the oldest; `except` names whose are left out. */
  pushableJobs(limit: number, except?: { agents: string[]; owners: string[] }): Promise<DuePush[]>
  /** Leases one job and counts its push, in one write; not due again before the pause is over. */
  leasePush(agentId: AgentId, jobId: string, pauseMs: number): Promise<Job | undefined>
  /** The delivery under this lease reached nobody: whoever asks next gets the job under the same lease. */
  setAdrift(jobId: string, attempt: number): Promise<void>
}

/** An agent as the gateway knows it. In strict mode only its owner, or a holder of its secret, acts for it. */
export type Known = {
  agent: { id: AgentId; key: string; owner: Address; handle: string } | undefined
  isStrict: boolean
  /** A poll or completion with a credential makes the agent strict. */
  latches: boolean
}

export type GatewayAccess = {
  /** Finds an agent by any form of its name, and caches the answer so that a poll reads nothing. */
  find(text: string): Promise<Known>
  /** As `find`, from the cache alone; undefined when it is not cached. */
  remembered(text: string): Known | undefined
  /** The key of the agent that has this secret. @throws Problem invalid-token */
  ofSecret(secret: string): Promise<string>
  /** Empties the cache after a mode or a secret was changed. */
  forget(): void
}

/** Signs of life of agents, in memory only: each is valid for a minute. */
export type Presence = {
  see(key: string): void
  /** A sign of life that asks for work. @throws Problem rate-limited */
  ask(key: string): void
  /** As `ask`, as an answer; a refused request counts as well. */
  mayAsk(key: string): boolean
  /** As agent records show it: `last_seen` is ISO 8601, empty when nothing was seen since this process started. */
  tell(key: string): { health_status: 'healthy' | 'unhealthy' | 'unknown'; last_seen: string }
}

/** An agent that joined the gateway without a registration: it gets tasks by its handle and has no listing. */
export type External = { handle: string; metadata: JsonObject; capabilities: string[] }

/** The joined agents, in memory only: such an agent introduces itself again with its next poll or heartbeat. */
export type Externals = {
  get(handle: string): External | undefined
  all(): External[]
  join(it: External): void
  /** Joins the agent of this handle unless it has joined; false where the text cannot be a handle. */
  see(handle: string): boolean
  leave(handle: string): boolean
}

/** Which agents may have waiting work, in memory: an empty poll neither reads nor writes. */
export type WorkIndex = {
  mayHave(queue: string): boolean
  drop(queue: string): void
  /** Reads the queues from the database again, in case a notification was lost. */
  refresh(): Promise<void>
}

/** The last call of an agent at its own address: when (epoch ms), and why it failed; empty when it was answered. */
export type Pushed = { at: number; error: string }
/** In memory only, as signs of life are. */
export type PushLog = { note(id: AgentId, error?: string): void; get(id: AgentId): Pushed | undefined }

/** Who polls without a credential: the network address, undefined for this machine's own, and the form of the agent's name. */
export type Poller = { source: string | undefined; isFullId: boolean }
export type Pollers = {
  /** Whether this poller gets the agent's jobs: it holds the agent, nobody does, or it has the full id and the holder has not. */
  admit(agentId: AgentId, poller: Poller): boolean
  /** When a second poller last asked for the same agent, in epoch ms. */
  contestedAt(agentId: AgentId): number | undefined
}

/** An agent that strangers' messages are sent to, at its own address. */
export type DirectTarget = Pick<ListedAgent, 'handle' | 'name' | 'owner'> & { id: AgentId; endpointUrl: string }

/** Calls that strangers cause at addresses that other strangers registered. */
export type DirectCalls = {
  /**
   * Does some work at an agent's own address, where its card is of the agent.
   * @throws Problem rate-limited, endpoint-not-allowed, agent-unreachable
   */
  call<T>(target: DirectTarget, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>
}

/** What the gateway keeps in memory, and its way to agents with an address of their own. */
export type Gateway = {
  access: GatewayAccess
  presence: Presence
  pollers: Pollers
  pushes: PushLog
  externals: Externals
  tasks: WorkIndex
  dialer: Dialer
  direct: DirectCalls
}
