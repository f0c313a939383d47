import { toCaip2 } from '../../domain/chains/chains.ts'
import { hourMs, secondMs } from '../../domain/durations.ts'
import { formatUsdc } from '../../domain/money/money.ts'
import type { Listing } from '../../domain/offerings/offering.ts'
import { toOutsideWords } from '../../domain/x402/outsideWords.ts'
import type { Supply } from '../../operations/deps.ts'
import { chainOf, type Deps } from '../../operations/operation.ts'
import type { Store } from '../../ports.ts'
import type { OutsideHit } from '../../records/outside.ts'
import { createMemorySearch, type MemorySearch } from '../../search/mirror.ts'
import { toTarget } from './listing.ts'
import { type OutsideListing, outsideTables } from './ports.ts'

/** The index of a process. It is derived data, and made anew after `freshMs`, because deleted listings are not followed. */
type Index = { search: MemorySearch; mark: number; madeAt: number }
const indexes = new WeakMap<Store, Index>()
const freshMs = hourMs
/** A change may be committed this long after its time, in ms, so that changes are read again. */
const overlapMs = 5 * secondMs
const rowsAtOnce = 1_000

/** Hits that are read before those of one host, and those that are shown no longer, are left out. */
const hitsToRead = 60
/** Hits of one host in a result, so that one seller does not hide the others. */
const ofOneHost = 3

type Reach = Pick<Deps, 'store' | 'clock'>

const refresh = async ({ store, clock }: Reach): Promise<MemorySearch> => {
  const now = clock.now()
  const known = indexes.get(store)
  const isFresh = known && now - known.madeAt < freshMs && now >= known.madeAt
  const index = isFresh ? known : { search: createMemorySearch(), mark: 0, madeAt: now }
  for (let rows = rowsAtOnce; rows === rowsAtOnce; ) {
    const changed = await outsideTables(store).changedListings(index.mark, rowsAtOnce)
    for (const it of changed) put(index.search, it)
    const newest = changed.at(-1)?.changedAt ?? 0
    // A page of one moment would be read for ever.
    rows = newest > index.mark ? changed.length : 0
    index.mark = Math.max(index.mark, rows === rowsAtOnce ? newest : newest - overlapMs)
  }
  indexes.set(store, index)
  return index.search
}

const put = (search: MemorySearch, it: OutsideListing & { isShown: boolean }) => {
  if (it.isShown) search.put(toIndexed(it))
  else search.remove(toIndexed(it))
}

/** A listing in the form in which offerings are indexed. It can not be hired: no agent has this id. */
const toIndexed = (it: OutsideListing): Listing => ({
  ...{ agentId: 'outside', agentHandle: '', agentName: '', id: it.key, name: it.name, description: it.description },
  ...{ price: '0', jobInput: '', jobOutput: '', requirement: it.requirement, deliverable: {}, slaMinutes: 1 },
  ...{ requiredFunds: false, restricted: false, hide: false, active: true, chainId: it.chainId, version: it.changedAt },
})

/** Finds resources that passed their last check. Price and payee are those of that check. */
export const find: Supply['find'] = async (deps, { text, chainId, maxPrice, limit }) => {
  if (!deps.settings.catalogues || !deps.chains.has(chainId)) return []
  const found = (await refresh(deps)).search({ text, chainId, limit: hitsToRead })
  const listings = await outsideTables(deps.store).shownListings(found.map(it => it.offeringId))
  const byKey = new Map(listings.map(it => [it.key, it]))
  const hits = found.flatMap(({ offeringId, coverage }) => {
    const it = byKey.get(offeringId)
    return it ? [{ it, hit: toHit(deps, it, coverage) }] : []
  })
  const affordable = hits.filter(({ hit }) => maxPrice === undefined || Number(hit.price) <= Number(maxPrice))
  return shareOut(affordable).slice(0, limit)
}

/** One hit of each resource, and few of one host. */
const shareOut = (hits: { it: OutsideListing; hit: OutsideHit }[]): OutsideHit[] => {
  const [targets, hosts] = [new Set<string>(), new Map<string, number>()]
  return hits.flatMap(({ it, hit }) => {
    const ofHost = hosts.get(it.host) ?? 0
    if (targets.has(it.target) || ofHost >= ofOneHost) return []
    targets.add(it.target)
    hosts.set(it.host, ofHost + 1)
    return [hit]
  })
}

const toHit = (deps: Pick<Deps, 'chains' | 'clock'>, it: OutsideListing, coverage: number): OutsideHit => ({
  ...{ url: it.url, catalogue: it.catalogue, method: it.method, name: it.name, description: it.description },
  ...{ price: formatUsdc(it.asked ?? it.amount, chainOf(deps, it.chainId).usdcDecimals), scheme: it.scheme },
  ...{ payee: it.payTo ?? '', network: toCaip2(it.chainId), requirement: it.requirement, example: it.example ?? null },
  ...{ words: toOutsideWords(it, deps.clock.now()), coverage, place: 0 },
})

/**
 * The terms of a listed resource. Entries that passed their last check count before others, because a seller could show one entry
 * and charge by another. Among them this address counts before those whose query it contains, and these before the rest.
 */
export const know: Supply['know'] = async ({ store, settings, clock }, { url, method, chainId }) => {
  if (!settings.catalogues) return []
  const listings = await outsideTables(store).listingsOf(toTarget({ url, method }), chainId, url)
  const entries = firstOf(
    listings,
    isChecked,
    it => it.url === url,
    it => hasQueryOf(url, it.url),
  )
  return entries.flatMap(it => {
    if (!it.payTo) return []
    return [
      { payTo: it.payTo, most: (isChecked(it) ? it.asked : undefined) ?? it.amount, words: toOutsideWords(it, clock.now()) },
    ]
  })
}

const isChecked = ({ verdict, aliveAt }: OutsideListing): boolean => verdict === '' && aliveAt !== undefined

/** Whether an address has each parameter of another one. */
const hasQueryOf = (url: string, listed: string): boolean => {
  const { searchParams } = new URL(url)
  return [...new URL(listed).searchParams].every(([name, value]) => searchParams.getAll(name).includes(value))
}

/** Those for which a test holds, where it holds for any, one test after the other. */
const firstOf = <T>(all: T[], ...tests: ((it: T) => boolean)[]): T[] =>
  tests.reduce((left, test) => (left.some(test) ? left.filter(test) : left), all)
