import { z } from 'zod'
import { secondMs } from '../domain/durations.ts'
import type { Failing } from '../domain/operator/alerts.ts'
import { Problem } from '../domain/problem.ts'
import type { Chain, Clock } from '../ports.ts'
import { type chainHealth, type contracts, health } from '../records/health.ts'
import { type Deps, operation } from './operation.ts'

/** Time limit of each check in ms. A part that has not answered by then counts as unavailable. */
const timeoutMs = 1_500

export const readLiveness = operation({
  name: 'readLiveness',
  summary: 'Liveness: whether the process answers. Checks neither database nor chain; restart the process when this fails.',
  caller: 'anyone',
  input: z.object({}),
  output: z.object({ status: z.literal('alive') }),
  run: async () => ({ status: 'alive' as const }),
})

export const readHealth = operation({
  name: 'readHealth',
  summary:
    'Whether hiring works now (otherwise 503), the parts of the service, ' +
    'and which configured chains it refuses, with the reason.',
  caller: 'anyone',
  input: z.object({}),
  output: health,
  isUnavailable: ({ status }) => status === 'unhealthy',

  async run(_input, deps) {
    const { chains, refusedChains = new Map<number, string>(), settings } = deps
    const [looks, broken, unled = []] = await Promise.all([
      Promise.all([...chains.values()].map(async chain => ({ chain, look: await within(deps, checkChain(deps, chain)) }))),
      brokenParts(deps),
      within(deps, deps.unledChains?.(chains.keys()).catch(() => []) ?? Promise.resolve([])),
    ])
    const failing = lastingFailures(deps)
    const silent = { reason: new Problem('chain-unavailable').detail }
    const served = looks.flatMap(({ look }) => (look && 'block' in look ? [withFailures(look, { failing, unled })] : []))
    const refused = looks.flatMap(({ chain: { chainId: chain_id }, look = silent }) =>
      'reason' in look ? [{ chain_id, reason: look.reason }] : [],
    )
    const refused_chains = [...refused, ...[...refusedChains].map(([chain_id, reason]) => ({ chain_id, reason }))]
    const stuck = failing.filter(it => it.worker === 'advanceRuns').map(toFailureText)
    const idle = [...served.flatMap(it => it.lacks.map(reason => ({ chain_id: it.chain_id, reason }))), ...refused_chains]
    const canHire = served.some(it => it.lacks.length === 0)
    const reasons = [...broken, ...stuck, ...(canHire ? [] : ['Hiring works on no chain.', ...idle.map(toReason)])]
    return {
      status: reasons.length === 0 ? ('healthy' as const) : ('unhealthy' as const),
      reasons,
      chains: served,
      refused_chains: refused_chains.sort((one, other) => one.chain_id - other.chain_id),
      search: 'lexical',
      model: settings.model,
    }
  },
})

/** The answer, or undefined after the time limit in ms. */
const within = <T>({ wakeups }: Pick<Deps, 'wakeups'>, answer: Promise<T>, limitMs = timeoutMs): Promise<T | undefined> =>
  Promise.race([answer, wakeups.wait('', limitMs).then(() => undefined)])

const brokenParts = async (deps: Deps): Promise<string[]> => {
  const { store, search } = deps
  // Only whether the part answers matters, not what it answers.
  const parts: [string, Promise<unknown>][] = [
    ['The database does not answer.', store.run('')],
    ['The database confirms no writes.', confirmWrites(deps)],
    ['The search index does not answer.', search.count()],
  ]
  const answers = parts.map(async ([reason, part]) => {
    const isWhole = await within(
      deps,
      part.then(
        () => true,
        () => false,
      ),
    )
    return isWhole ? [] : [reason]
  })
  return (await Promise.all(answers)).flat()
}

/** How long in ms an answered probe stands, so that many requests cause few commits. */
const probedMs = secondMs
/** The last probe of a store. Requests share one that hangs, because each keeps a connection. */
const probes = new WeakMap<Deps['store'], { probe: Promise<unknown>; until: number }>()

const confirmWrites = ({ store, clock }: Pick<Deps, 'store' | 'clock'>): Promise<unknown> => {
  const last = probes.get(store)
  if (last && clock.now() < last.until) return last.probe
  const next = { probe: store.confirmsWrites(), until: Number.POSITIVE_INFINITY }
  const end = (heldMs: number) => () => {
    next.until = clock.now() + heldMs
  }
  next.probe.then(end(probedMs), end(0))
  probes.set(store, next)
  return next.probe
}

/** A worker that fails for this long in ms does not recover by itself in a moment. */
const lastingMs = 30 * secondMs

const lastingFailures = ({ failingWorkers }: Pick<Deps, 'failingWorkers'>): readonly Failing[] =>
  (failingWorkers?.() ?? []).filter(it => it.sinceMs >= lastingMs)

const toFailureText = ({ worker, sinceMs }: Failing): string =>
  `The worker ${worker} of this process has failed for ${Math.round(sinceMs / secondMs)} s: read its log.`

const toReason = ({ chain_id, reason }: { chain_id: number; reason: string }): string => `Chain ${chain_id}: ${reason}`

/** `lacks`: why nobody can be hired there, which is among the notes; empty when somebody can. */
type Served = z.infer<typeof chainHealth> & { lacks: string[] }

const noLeader = 'No process leads this chain, so nothing is sent there: start one with ROLE=worker or ROLE=all.'

/** Nobody can be hired on a chain whose transactions are not sent, or whose events are not read. */
const withFailures = (look: Served, { failing, unled }: { failing: readonly Failing[]; unled: number[] }): Served => {
  const needed = [`sendTransactions ${look.chain_id}`, `watchChain ${look.chain_id}`]
  const failed = failing.filter(it => needed.includes(it.worker)).map(toFailureText)
  const found = [...failed, ...(unled.includes(look.chain_id) ? [noLeader] : [])]
  return { ...look, notes: [...look.notes, ...found], lacks: [...look.lacks, ...found] }
}

/** Time limit in ms of the notes about a chain, which are in the database. A chain is not blamed for a database that hangs. */
const notesMs = 1_000

type ChainCheck = Served | { reason: string }

/** Pending checks. Concurrent requests share them, so that a hanging chain gets few requests. */
const checks = new WeakMap<Chain, { since: number; look: Promise<ChainCheck> }>()

type Reach = Pick<Deps, 'store' | 'wakeups'> & { clock: Clock }
const checkChain = (deps: Reach, chain: Chain): Promise<ChainCheck> => {
  const under = checks.get(chain)
  const since = deps.clock.now()
  if (under && since - under.since < timeoutMs) return under.look
  const check = checkChainNow(deps, chain).finally(() => checks.delete(chain))
  checks.set(chain, { since, look: check })
  return check
}

/** A failing chain does not affect the checks of the others. */
const checkChainNow = async (deps: Reach, chain: Chain): Promise<ChainCheck> => {
  const { chainId: chain_id, explorer } = chain
  const kept = deps.store.senderNotes(chain_id).catch(() => [])
  const paused = within(deps, kept, notesMs)
  try {
    const block = Number((await chain.head()).number)
    const unfilled = await notesOf(chain)
    const notes = [...unfilled, ...((await paused) ?? []).map(it => it.note)]
    const of = { chain_id, block, contracts: toContracts(chain), embedded: !explorer, ...(explorer && { explorer }) }
    return { ...of, notes, lacks: unfilled }
  } catch (error) {
    return { reason: (error instanceof Problem ? error : new Problem('chain-unavailable')).detail }
  }
}

const toContracts = ({ addresses: of }: Pick<Chain, 'addresses'>): z.infer<typeof contracts> => ({
  escrow: of.escrow,
  usdc: of.usdc,
  identity_registry: of.registry,
  reputation_registry: of.reputation,
  ...(of.validation && { validation_registry: of.validation }),
})

/** The treasury refills every sending wallet. If it has no gas, each wallet can use only the native coin it still has. */
const notesOf = async (chain: Chain): Promise<string[]> => {
  const { treasury, evaluator } = chain
  if (await chain.hasGas(treasury, chain.topUp(evaluator))) return []
  const notes = [`The treasury ${treasury} cannot fill other wallets: send it native coin of chain ${chain.chainId}.`]
  if (await chain.hasGas(evaluator, chain.complete(0n, ''))) return notes
  return [...notes, `The evaluator ${evaluator} cannot settle: it has no native coin and waits for the treasury.`]
}
