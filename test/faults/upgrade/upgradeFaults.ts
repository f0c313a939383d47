import { additionsFrom } from '../../../src/store/schema/migration.ts'
import { home } from '../life.ts'
import type { Fault } from '../processes/processFaults.ts'
import type { ProcessMarket } from '../processes/processMarket.ts'
import { canOverlap, canReturn, type Release } from './release.ts'

type End = 'kill' | 'stop'

/** Another release takes the place of one process. */
const swap = (market: ProcessMarket, root: string, end: End) => {
  const place = market.places.find(it => it.root !== root)
  if (!place) throw new Error('every process is of this release already')
  return market.replace(place, { root, end })
}

/** Another release takes the place of every process, which all end at once. */
const swapAll = async (market: ProcessMarket, root: string, end: End) =>
  void (await Promise.all(market.places.filter(it => it.root !== root).map(it => market.replace(it, { root, end }))))

const expectRefusal = async (market: ProcessMarket, root: string, words: RegExp) => {
  const said = await market.refusal(root)
  if (!words.test(said)) throw new Error(`a refusal with other words: ${said}`)
}

/** Two processes of an earlier release on one database become this release, and return where its schema allows it. */
export const upgradeFaults = (before: Release): Fault[] => [
  { name: 'the earlier release alone', isUnread: !isRead(before) },
  ...(canOverlap(before) ? overlapping(before) : inSequence(before)),
  { name: 'kill -9 of the leader, of this release', strike: killLeader(home) },
  ...(canReturn(before) ? returning(before) : [refused(before)]),
]

/** A process of the leading release is killed; `root` follows it. Without `root` its own release does. */
const killLeader = (root?: string) => async (market: ProcessMarket) => {
  const { place } = await market.leader()
  await market.replace(place, { root: root ?? place.root, end: 'kill' })
}

const overlapping = (before: Release): Fault[] => [
  { name: 'this release starts beside it', strike: market => market.start(home) },
  {
    name: 'kill -9 of the leader, whichever release it is',
    // A release that does not know additions cannot start again, so this one follows.
    strike: killLeader(canReturn(before) ? undefined : home),
  },
  ...(canReturn(before)
    ? [{ name: 'an earlier process stops, and this release follows', strike: (it: ProcessMarket) => swap(it, home, 'stop') }]
    : []),
  { name: 'kill -9 of the last earlier process, and this release follows', strike: market => swap(market, home, 'kill') },
]

/** The audits read rows of this schema. The one before seats has the same in all that they read. */
const isRead = ({ level }: Release) => level >= additionsFrom - 1

const inSequence = (before: Release): Fault[] => [
  {
    name: 'this release is refused while the earlier one runs',
    isUnread: !isRead(before),
    strike: market => expectRefusal(market, home, /running processes cannot live with/),
  },
  { name: 'kill -9 of every earlier process, and this release follows', strike: market => swapAll(market, home, 'kill') },
]

const returning = ({ root }: Release): Fault[] => [
  { name: 'kill -9 of a process, and the earlier release follows', strike: market => swap(market, root, 'kill') },
  { name: 'kill -9 of the leader, whichever release it is, again', strike: killLeader() },
  { name: 'every process stops, and the earlier release follows', strike: market => swapAll(market, root, 'stop') },
]

const refused = ({ root }: Release): Fault => ({
  name: 'the earlier release is refused, with the version of the schema',
  strike: market => expectRefusal(market, root, /schema version \d+, which this release does not know.*: start a newer/),
})
