import { parseAgentId, parseHandle } from '../../domain/agents/agentId.ts'
import { defaultChainId, isStrictChain } from '../../domain/chains/chains.ts'
import { sha256 } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { agentOfAccess, everyChannel } from '../../domain/net/channels.ts'
import { Problem } from '../../domain/problem.ts'
import { hash32 } from '../../domain/text/hash32.ts'
import type { AgentAccess, Clock, GatewayAccess, Known, NamedAgent, Store, Wakeups } from '../../ports.ts'
import { resolveAgent } from '../agents/resolveAgent.ts'
import type { Caller, Deps } from '../operation.ts'
import { createBounded } from './bounded.ts'

/**
 * Cache time of a known name in ms. A change by another process is normally notified; the limit covers a lost notification. The
 * time differs from name to name, so that names which were read together do not expire together.
 */
const knownMs = { min: 12_000, max: 24_000 }
const unknownMs = 2_000
/**
 * How long a known name is used after its cache time while it is read again, in ms. An agent that polls every three seconds
 * never waits for that read, and no change of another process is missed for more than 30 s.
 */
const rereadMs = 6_000
/** Names are read again together, as many as polls use within this time in ms: twenty thousand agents need a thousand a second. */
const bundledMs = 100
/** Names of one statement. */
const bundled = 1_000
/** Agents that are read at the start: as many as poll one process at once, because each has an open connection. */
const preloaded = 20_000

const lifetimeOf = (text: string): number => {
  const { min, max } = knownMs
  return min + ((hash32(text) >>> 0) % (max - min))
}

/** Prefix that distinguishes agent secrets from tokens. */
export const secretPrefix = 'agentsecret'
export const isAgentSecret = (text: string): boolean => /^agentsecret_[0-9a-f]{32}$/.test(text)

type Reach = { store: Store; clock: Clock; wakeups: Wakeups }

/** A cached value with its expiry (epoch ms), and the number of changes that were known before it was read. */
type Cached<T> = T & { until: number; asOf: number }

/** Counts the changes of access, so that a value that was read before a change is not used after it. */
const createChanges = (wakeups: Wakeups) => {
  const lastOf = createBounded<number>(limits.presences)
  let count = 0
  let lastOfAll = 0
  /** Records a change of an agent; without an agent, of all agents. */
  const add = (agentKey?: string) => {
    count += 1
    if (agentKey === undefined) lastOfAll = count
    else lastOf.set(agentKey, count)
  }
  wakeups.on(channel => {
    const agentKey = agentOfAccess(channel)
    if (agentKey !== undefined || channel === everyChannel) add(agentKey)
  })
  return {
    add,
    count: () => count,
    isCurrent: (asOf: number, agentKey: string | undefined) =>
      asOf >= lastOfAll && (agentKey === undefined || asOf >= (lastOf.get(agentKey) ?? 0)),
  }
}

/** Reads which agent a text names, and who may act for it. */
const readAccess = async (store: Reach['store'], text: string): Promise<Known> => {
  const agent = await resolveAgent({ store }, text)
  if (!agent?.id) return { agent: undefined, isStrict: isStrictChain(chainNamed(text)), latches: false, hasSecret: false }
  return toKnown({ ...agent, id: agent.id }, await store.agentAccess(agent.key))
}

const toKnown = (agent: NamedAgent, { isStrict, keepsOpen, secretHash }: AgentAccess): Known => {
  const { id, key, owner, handle, chainId } = agent
  const strict = isStrict || isStrictChain(chainId)
  const latches = !strict && !keepsOpen
  return { agent: { id, key, owner, handle }, isStrict: strict, latches, hasSecret: secretHash !== undefined }
}

/** Until when a cached value is used, and whether it still is. */
const createFreshness = ({ clock, wakeups }: Pick<Reach, 'clock' | 'wakeups'>) => {
  const changes = createChanges(wakeups)
  return {
    changes,
    isFresh: ({ until, asOf }: Cached<object>, agentKey: string | undefined) =>
      until > clock.now() && changes.isCurrent(asOf, agentKey),
    untilOf: (text: string, isKnown: boolean) => clock.now() + (isKnown ? lifetimeOf(text) : unknownMs),
  }
}

/** The names that are known, and three ways to read them. */
const createNames = (store: Store, { changes, untilOf }: ReturnType<typeof createFreshness>) => {
  const names = createBounded<Cached<Known>>(limits.presences)
  const keep = (text: string, known: Known, asOf: number) =>
    names.set(text, { ...known, asOf, until: untilOf(text, known.agent !== undefined) })
  const readOne = async (text: string): Promise<Known> => {
    const asOf = changes.count()
    const known = await readAccess(store, text)
    keep(text, known, asOf)
    return known
  }
  return {
    get: names.get,
    readOne,
    /** Reads ids in one statement. A handle may come to mean another agent, so it is looked for. */
    async readTogether(texts: string[]) {
      const asOf = changes.count()
      const ids = texts.flatMap(it => parseAgentId(it)?.id ?? [])
      const found = new Map((await store.accessOf(ids)).map(({ agent, ...access }) => [agent.id, toKnown(agent, access)]))
      for (const text of texts) {
        const known = found.get(parseAgentId(text)?.id ?? '')
        if (known) keep(text, known, asOf)
      }
      await Promise.all(texts.filter(it => !parseAgentId(it)).map(readOne))
    },
    async readNewest() {
      const asOf = changes.count()
      for (const { agent, ...access } of await store.newestAccess(preloaded)) {
        const known = toKnown(agent, access)
        keep(agent.id, known, asOf)
        // A handle alone means the agent of the default chain.
        if (agent.chainId === defaultChainId) keep(agent.handle, known, asOf)
      }
    },
  }
}

/** Creates the access checks of the gateway, with names and secrets cached in memory. */
export const createAccess = ({ store, clock, wakeups }: Reach): GatewayAccess => {
  const secrets = createBounded<Cached<{ key: string | undefined }>>(limits.presences)
  const freshness = createFreshness({ clock, wakeups })
  const { changes, isFresh, untilOf } = freshness
  const names = createNames(store, freshness)
  const rereading = new Set<string>()
  const readAgain = async (text: string): Promise<void> => {
    const isUnderWay = rereading.size > 0
    rereading.add(text)
    if (isUnderWay) return
    await wakeups.wait('', bundledMs)
    const texts = [...rereading]
    rereading.clear()
    for (let at = 0; at < texts.length; at += bundled) await names.readTogether(texts.slice(at, at + bundled))
  }
  const remembered = (text: string): Known | undefined => {
    const known = names.get(text)
    if (!known || isFresh(known, known.agent?.key)) return known
    if (!known.agent || !isFresh({ ...known, until: known.until + rereadMs }, known.agent.key)) return undefined
    // After a failure the name is used until its time ends. The next poll then reads it, and reports the failure.
    readAgain(text).catch(() => undefined)
    return known
  }
  let isPreloaded = false
  // After a lost connection no name is sure, and every agent polls within three seconds. What fails is read by its poll.
  wakeups.on(channel => {
    if (channel === everyChannel && isPreloaded) names.readNewest().catch(() => undefined)
  })
  return {
    remembered,
    find: async text => remembered(text) ?? names.readOne(text),
    async ofSecret(secret) {
      const hash = sha256(secret)
      let it = secrets.get(hash)
      if (!it || !isFresh(it, it.key)) {
        const asOf = changes.count()
        const key = await store.agentKeyOfSecret(hash)
        it = { key, asOf, until: untilOf(hash, key !== undefined) }
        secrets.set(hash, it)
      }
      if (!it.key) throw new Problem('invalid-token', 'This agent secret is unknown or was revoked.')
      return it.key
    },
    async preload() {
      await names.readNewest()
      isPreloaded = true
    },
    forget: agentKey => changes.add(agentKey),
  }
}

const chainNamed = (text: string) => parseAgentId(text)?.chainId ?? parseHandle(text).chainId

/** Whether the caller is authenticated as the agent's owner or by its secret. */
export const isProvenFor = ({ agent }: Known, { wallet, agentKey }: Caller): boolean =>
  agent !== undefined && (wallet === agent.owner || agentKey === agent.key)

export const mayActFor = (known: Known, caller: Caller): boolean => !known.isStrict || isProvenFor(known, caller)

/**
 * Makes an agent strict once it uses a credential, unless its owner keeps it open. Kits that register with a token and poll
 * without one never use a credential here, so their agents stay open.
 */
export const makeStrict = async (
  { store, gateway }: Pick<Deps, 'store' | 'gateway'>,
  { agent, latches }: Known,
): Promise<void> => {
  if (agent && latches && (await store.latchAgent(agent.key))) gateway.access.forget(agent.key)
}

/**
 * Refuses a caller without the owner's token or the agent's secret, when the agent is strict.
 * @throws Problem unauthenticated
 */
export const requireAgent = (known: Known, caller: Caller): void => {
  if (!mayActFor(known, caller))
    throw new Problem('unauthenticated', 'This agent is in strict mode: send the token of its owner, or its secret.')
}
