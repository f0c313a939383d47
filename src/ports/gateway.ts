import { z } from 'zod'
import type { AgentId } from '../domain/agents/agentId.ts'
import type { PushCall } from '../domain/agents/pushTurns.ts'
import type { Address } from '../domain/hex.ts'
import { type Json, type JsonObject, json } from '../domain/json.ts'
import type { Dialer } from './outside.ts'
import { jsonText, maybe, type RowOf } from './rows/columns.ts'
import type { Job, ListedAgent } from './rows.ts'

/** State of a task, in the words that existing clients read. */
const taskState = z.enum(['pending', 'working', 'completed', 'failed', 'canceled'])
export type TaskState = z.infer<typeof taskState>

/** A message queued at the gateway for an agent. */
export const gatewayTaskRow = {
  /** 128 random bits, known to the agent only. Knowing it permits completing the task. */
  id: z.string(),
  /** The submitter's name for it. Knowing it permits reading the result and cancelling. */
  name: z.string(),
  /** An agent's id, or `external:<handle>` for an agent without a registration. */
  queue: z.string(),
  payload: jsonText(json),
  state: taskState,
  attempt: z.number(),
  result: maybe(jsonText(json)),
  /** Reason for a failure; otherwise empty. */
  error: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
}
export type GatewayTask = RowOf<typeof gatewayTaskRow>
export type TaskEnd = { state: 'completed' | 'failed' | 'canceled'; result?: Json | undefined; error?: string }

/** How an agent's gateway calls are authenticated, as set by its owner. */
export type AgentAccess = {
  isStrict: boolean
  /** The owner allows calls without a credential, so a call with one does not make the agent strict. */
  keepsOpen: boolean
  secretHash: string | undefined
}

/** A job due to be sent to its agent's own endpoint, and the number of calls so far. */
export type DuePush = PushCall & { submitBy: number; pushes: number }

export type GatewayTables = {
  /** Inserts unless the name exists; undefined when it does. */
  addTask(task: Pick<GatewayTask, 'id' | 'name' | 'queue' | 'payload'>): Promise<GatewayTask | undefined>
  task(idOrName: string): Promise<GatewayTask | undefined>
  /** Number of waiting tasks in a queue. It locks the queue: until the transaction ends, no other counter adds a task. */
  lockWaitingTaskCount(queue: string): Promise<number>
  /** Leases the next task of a queue. The attempt is counted before the work. */
  leaseTask(queue: string): Promise<GatewayTask | undefined>
  /**
   * Ends a task in one conditional write; the first end is kept. Only a leased task can be completed, a waiting one can be
   * cancelled.
   */
  endTask(id: string, end: TaskEnd): Promise<GatewayTask | undefined>
  queuesWithTasks(): Promise<string[]>
  /** Agents whose id ends in this number, at most two. Two mean that the number is ambiguous. */
  agentIdsByNumber(number: string): Promise<AgentId[]>
  /**
   * Requeues tasks with an expired lease, ends those that no agent takes, and deletes old ones. @returns the tasks that it
   * ended
   */
  sweepTasks(): Promise<GatewayTask[]>
  /** Users' calls to agents with their own endpoint, oldest first. */
  callableTasks(limit: number): Promise<GatewayTask[]>
  leaseCall(id: string): Promise<GatewayTask | undefined>

  agentAccess(agentKey: string): Promise<AgentAccess>
  /** The newest agents with an on-chain id, and how their calls are authenticated. */
  newestAccess(limit: number): Promise<(AgentAccess & { agent: NamedAgent })[]>
  /** The same of the agents with these ids. */
  accessOf(ids: readonly AgentId[]): Promise<(AgentAccess & { agent: NamedAgent })[]>
  /** Updates the given fields; a null secret is revoked. */
  putAgentAccess(agentKey: string, patch: { isStrict: boolean } | { secretHash: string | null }): Promise<void>
  /** Makes the agent strict, unless its owner keeps it open. True when it was not strict before. */
  latchAgent(agentKey: string): Promise<boolean>
  agentKeyOfSecret(secretHash: string): Promise<string | undefined>

  /** Jobs due to be sent to their agent's own endpoint, paid ones first, then the oldest. `except` excludes agents and owners. */
  pushableJobs(limit: number, except?: { agents: string[]; owners: string[] }): Promise<DuePush[]>
  /** Leases a job and counts the call in one write. The next call is due after the pause. */
  leasePush(agentId: AgentId, jobId: string, pauseMs: number): Promise<Job | undefined>
  /** Marks a delivery as undelivered. The agent's next poll gets the job under the same lease. */
  setUndelivered(jobId: string, attempt: number): Promise<void>
  /** Marks what was leased by processes that have ended since: their responses may be lost. */
  setLostUndelivered(): Promise<void>
}

/** What the gateway needs of an agent. */
export type NamedAgent = { id: AgentId; key: string; owner: Address; handle: string; chainId: number }

/** An agent as the gateway knows it. In strict mode only its owner, or a holder of its secret, may act for it. */
export type Known = {
  agent: Omit<NamedAgent, 'chainId'> | undefined
  isStrict: boolean
  /** Whether a poll or completion with a credential makes the agent strict. */
  latches: boolean
  /** Whether its owner has issued a secret for it. */
  hasSecret: boolean
}

export type GatewayAccess = {
  /** Finds an agent by any form of its name. The result is cached, so that a poll reads nothing from the database. */
  find(text: string): Promise<Known>
  /** Like `find`, but only from the cache; undefined when it is not cached. */
  remembered(text: string): Known | undefined
  /**
   * The key of the agent with this secret.
   * @throws Problem invalid-token
   */
  ofSecret(secret: string): Promise<string>
  /** Reads the newest agents at once, so that after a start most first polls find theirs in memory. */
  preload(): Promise<void>
  /** Reads the mode and the secret of an agent again, after a change. */
  forget(agentKey: string): void
}

/** When agents were last seen, in memory only. An agent counts as healthy for a minute. */
export type Presence = {
  see(key: string): void
  /**
   * Records a request for work. Requests are limited for each `by`: a network address, or the agent itself when it has proven
   * who it is, so that no stranger uses up the requests of an agent.
   * @throws Problem rate-limited
   */
  ask(key: string, by: string | undefined): void
  /** Like `ask`, but returns false instead of throwing. A refused request counts too. */
  mayAsk(key: string, by: string | undefined): boolean
  /**
   * The state shown in agent records. `last_seen` is ISO 8601, or empty when the agent was not seen since this process started.
   */
  tell(key: string): { health_status: 'healthy' | 'unhealthy' | 'unknown'; last_seen: string }
  /** Returns all healthy agents. Where they are more than lists take, the most recently seen come first. */
  healthy(): string[]
}

/** An agent that joined the gateway without a registration. It gets tasks by its handle and has no listing. */
export type External = { handle: string; metadata: JsonObject; capabilities: string[] }

/** Joined agents, in memory only. After a restart they join again with their next poll or heartbeat. */
export type Externals = {
  get(handle: string): External | undefined
  all(): External[]
  join(it: External): void
  /** Joins the agent of this handle unless it has joined; false when the text is not a valid handle. */
  see(handle: string): boolean
  leave(handle: string): boolean
}

/** Agents that may have waiting work, in memory, so that an empty poll uses no database. */
export type WorkIndex = {
  mayHave(queue: string): boolean
  add(queue: string): void
  drop(queue: string): void
  /** Reads the queues from the database again, in case a notification was lost. */
  refresh(): Promise<void>
}

/** The last call to an agent's own endpoint: its time (epoch ms), and the error, empty on success. */
export type Pushed = { at: number; error: string }
/** The last calls to agents' endpoints, in memory only. */
export type PushLog = { note(id: AgentId, error?: string): void; get(id: AgentId): Pushed | undefined }

/** A caller that polls without a credential: its network address, undefined on this machine, and the form of the agent's name. */
export type Poller = { source: string | undefined; isFullId: boolean }
export type Pollers = {
  /**
   * Whether this poller gets the agent's jobs. The first poller keeps the agent until it is silent for a minute, whichever
   * name of the agent another address uses. At one address, a poller with the full id replaces one with the handle.
   * @returns `isElsewhere` when another address holds the agent, and `isReportDue` when a contest should be recorded for the
   * operator, limited for each agent and in all
   */
  admit(agentId: AgentId, poller: Poller): { isAdmitted: boolean; isElsewhere: boolean; isReportDue: boolean }
  /** Keeps the agent for this poller, if it or nobody holds it. False when another one does, and `admit` must decide. */
  keep(agentId: AgentId, poller: Poller): boolean
  /** Whether a poller at another address holds the agent. */
  isElsewhere(agentId: AgentId, source: Poller['source']): boolean
  /** When a second poller last asked for the same agent, in epoch ms. */
  contestedAt(agentId: AgentId): number | undefined
}

/** The network addresses that took jobs by polling without a credential, in memory only. */
export type Takers = {
  /** @param taker its address, undefined on this machine; no taker for a poll with a credential */
  note(jobId: string, taker: { source: string | undefined } | undefined): void
  isTaker(jobId: string, source: string | undefined): boolean
}

/** An agent with its own endpoint, to which users' messages are sent. */
export type DirectTarget = Pick<ListedAgent, 'handle' | 'name' | 'owner'> & { id: AgentId; endpointUrl: string }

/** Limits calls that users cause to endpoints registered by others. */
export type DirectCalls = {
  /**
   * Runs a call to an agent's own endpoint after checking that the agent card there belongs to the agent.
   * @throws Problem rate-limited, endpoint-not-allowed, agent-unreachable
   */
  call<T>(target: DirectTarget, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>
}

/** The gateway's state in memory, and its access to agents with their own endpoint. */
export type Gateway = {
  access: GatewayAccess
  presence: Presence
  pollers: Pollers
  takers: Takers
  pushes: PushLog
  externals: Externals
  tasks: WorkIndex
  dialer: Dialer
  direct: DirectCalls
}
