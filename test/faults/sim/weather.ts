import { type Address, address } from '../../../src/domain/hex.ts'
import type { Call } from '../../../src/ports.ts'
import type { User } from './actors/talks.ts'
import { textOf } from './books.ts'
import { addressOf, coinFor, places, usualGasPrice } from './chain/places.ts'
import { fromData } from './chain/transactions.ts'
import type { Random } from './random.ts'
import type { World } from './world.ts'

type Acting = { world: World; users: User[]; random: Random }
/** An event of the environment. It does nothing when it is not applicable. */
type Event = { kind: number; weight: number; happen(at: Acting): Promise<void> | void }

/** An address with some USDC that has nothing to do with the service. */
export const stranger = addressOf('stranger')

/** Events of the chain, the clock and other parties, by kind of fault. */
const events: Event[] = [
  {
    kind: 24,
    weight: 3,
    happen({ world, random }) {
      note(world, 24, 'node is behind')
      world.ground.chain.weather.lagBlocks = 1 + random.int(6)
    },
  },
  {
    kind: 22,
    weight: 1,
    happen({ world }) {
      const { weather } = world.ground.chain
      weather.ignoresFilters = !weather.ignoresFilters
      if (weather.ignoresFilters) note(world, 22, 'node answers with all logs of the token')
    },
  },
  {
    kind: 74,
    weight: 2,
    happen({ world }) {
      world.ground.seller.chargeLate()
    },
  },
  {
    kind: 95,
    weight: 2,
    happen({ world }) {
      world.ground.facilitator?.settleLate()
    },
  },
  {
    kind: 28,
    weight: 4,
    happen({ world, random }) {
      const { pool } = world.ground.chain
      if (pool.size === 0) return
      const tx = random.pick([...pool.values()])
      const isForgotten = random.chance(0.5)
      note(world, 28, isForgotten ? 'pool forgets' : 'transaction late')
      if (isForgotten) pool.delete(tx.hash)
      else pool.set(tx.hash, { ...tx, notBefore: world.ground.time.now() + 5_000 + random.int(400_000) })
    },
  },
  {
    kind: 29,
    weight: 2,
    happen({ world, random }) {
      const name = random.pick(['hire', 'submit', 'complete', 'reject', 'buy', 'sell', 'launch', 'payFees'] as const)
      note(world, 29, `${name} will revert`)
      world.ground.chain.weather.revertNext.add(name)
    },
  },
  {
    kind: 31,
    weight: 2,
    happen({ world, random }) {
      const { chain } = world.ground
      if (random.chance(0.5)) {
        note(world, 31, 'treasury is empty')
        chain.give(places.treasury, -(chain.state.coin.get(places.treasury) ?? 0n))
      } else {
        note(world, 31, 'gas costs more')
        chain.weather.gasPrice = random.pick([(5n * usualGasPrice) / 2n, 100n * usualGasPrice])
      }
    },
  },
  {
    kind: 32,
    weight: 1,
    happen({ world, users, random }) {
      const wallets = [...world.log.agentWallets.values(), ...users.flatMap(it => it.proxy ?? [])]
      if (wallets.length === 0) return
      note(world, 32, 'token blocks an address')
      world.ground.chain.setBlocked(random.pick(wallets), true)
    },
  },
  {
    kind: 33,
    weight: 1,
    happen({ world, random }) {
      const { chain, time } = world.ground
      const running = [...chain.state.jobs].filter(([, it]) => isRunning(it.status))
      if (running.length === 0) return
      // Nothing happens until the job has expired and its evaluation grace is over.
      const [id, { expiredAt, submittedAt }] = random.pick(running)
      time.advance(Math.max(0, Math.max(expiredAt, submittedAt + 3_600) * 1_000 - time.now()) + 60_000)
      const isTaken = chain.callFrom(stranger, { name: 'claimRefund', chainJobId: String(id) })
      note(world, 33, isTaken ? 'refunded by a stranger' : 'stranger refused')
    },
  },
  {
    kind: 34,
    weight: 3,
    happen({ world, random }) {
      const [open] = world.books.all(`select id, agent_wallet, budget from job where state = 'open' limit 1`)
      if (!open) return
      note(world, 34, 'job on chain with our key and other terms')
      forge(world, {
        jobKey: textOf(open.id),
        provider: random.chance(0.5) ? addressOf('thief') : anAddress(textOf(open.agent_wallet)),
        random,
      })
    },
  },
  {
    kind: 36,
    weight: 1,
    happen({ world }) {
      note(world, 36, 'refund claimed of an unfunded job')
      const { chain } = world.ground
      const before = chain.state.jobs.size
      const terms = {
        client: stranger,
        provider: addressOf('thief'),
        evaluator: places.evaluator,
        expiredAt: later(world),
        jobKey: 'none',
        budget: '1',
      }
      chain.callFrom(stranger, { name: 'create', terms })
      if (chain.callFrom(stranger, { name: 'claimRefund', chainJobId: String(before + 1) }))
        world.log.scandals.push('I1 an unfunded job was refunded')
    },
  },
  {
    kind: 37,
    weight: 0.7,
    happen({ world, random }) {
      note(world, 37, 'chain halts')
      world.ground.chain.weather.haltedUntil = world.ground.time.now() + random.pick([60_000, 600_000, 3_600_000])
    },
  },
  {
    kind: 70,
    weight: 0.7,
    happen({ world, random }) {
      note(world, 70, 'chain time differs')
      world.ground.chain.weather.skewMs = random.pick([-600_000, -60_000, 60_000, 600_000])
    },
  },
  {
    kind: 68,
    weight: 0.7,
    happen({ world, random }) {
      note(world, 68, 'clock jumps')
      world.ground.time.jump(random.pick([-86_400_000, -3_600_000, -60_000, 60_000, 3_600_000, 86_400_000]))
    },
  },
  {
    kind: 71,
    weight: 1,
    happen({ world }) {
      note(world, 71, 'index is behind')
      world.ground.search.isBehind = true
    },
  },
  {
    kind: 71,
    weight: 0.5,
    async happen({ world }) {
      note(world, 71, 'index is gone at the start')
      world.ground.search.rows.clear()
      await world.restart('stopped')
    },
  },
  {
    kind: 6,
    weight: 1.5,
    async happen({ world }) {
      note(world, 6, 'asked to stop')
      await world.stopGently()
    },
  },
  {
    kind: 18,
    weight: 2,
    async happen({ world }) {
      if (world.isAdvancing()) return
      note(world, 18, 'last checkpoint lost')
      await world.loseCheckpoint()
    },
  },
  {
    kind: 26,
    weight: 4,
    happen({ world, random }) {
      const depth = toFollowedDepth(world, random.pick([1, 2, 3, 12]))
      if (depth === 0) return
      note(world, 26, `reorg of ${depth}`)
      world.log.reorgs += 1
      world.ground.chain.reorg(depth, { forgets: 0.3 })
    },
  },
  {
    kind: 85,
    weight: 4,
    happen({ world, random }) {
      const { chain } = world.ground
      const isPay = ({ call }: { call: Call }) => call.data !== '0x' && fromData(call.data).name === 'pay'
      const waiting = [...chain.pool.values()].filter(isPay)
      if (waiting.length > 0) {
        note(world, 85, 'settlement lost')
        return void chain.pool.delete(random.pick(waiting).hash)
      }
      const at = chain.blocks.findLastIndex(block => block.txs.some(it => isPay(it.tx)))
      const depth = chain.blocks.length - at
      if (at < 1 || depth > 12 || toFollowedDepth(world, depth) < depth) return
      note(world, 85, 'settlement reorganised')
      world.log.reorgs += 1
      chain.reorg(depth, { forgets: 0.5 })
    },
  },
  {
    kind: 88,
    weight: 4,
    happen({ world, random }) {
      const { chain } = world.ground
      const waiting = [...chain.pool.values()].filter(isTrade)
      if (waiting.length > 0) {
        note(world, 88, 'trade lost')
        return void chain.pool.delete(random.pick(waiting).hash)
      }
      const at = chain.blocks.findLastIndex(block => block.txs.some(it => isTrade(it.tx)))
      if (at < 1 || chain.blocks.length - at > 12) return
      note(world, 88, 'trade reorganised')
      world.log.reorgs += 1
      chain.reorg(chain.blocks.length - at, { forgets: 0.5 })
    },
  },
  {
    kind: 27,
    weight: 1,
    happen({ world, users, random }) {
      const depth = toFollowedDepth(world, 1 + random.int(3))
      if (depth === 0) return
      note(world, 27, 'a block with a transaction of others')
      world.log.reorgs += 1
      const ours = new Set([places.evaluator, ...world.log.agentWallets.values(), ...users.flatMap(it => it.proxy ?? [])])
      world.ground.chain.reorg(depth, { forgets: 0.3, usurped: it => ours.has(it) })
    },
  },
  {
    kind: 79,
    weight: 1,
    async happen({ world }) {
      const [job] = world.books.all('select id from job limit 1')
      if (!job) return
      note(world, 79, 'overdue jobs of a chain that is not served')
      await world.process.abandonJobs(textOf(job.id))
    },
  },
  {
    kind: 30,
    weight: 1,
    happen({ world, users, random }) {
      const wallets = [...world.log.agentWallets.values(), ...users.flatMap(it => it.proxy ?? [])]
      if (wallets.length === 0) return
      note(world, 30, 'another process used the key')
      world.ground.chain.callFrom(random.pick(wallets), { name: 'transfer', to: places.outside, amount: '0' })
    },
  },
]

const tokenCalls = new Set<string>(['launch', 'buy', 'sell', 'payFees'])
const isTrade = ({ call }: { call: Call }) => call.data !== '0x' && tokenCalls.has(fromData(call.data).name)

const note = (world: World, kind: number, what: string) => world.ground.faults.note(kind, what)

/**
 * Reduces the depth of a reorganisation so that it removes no payment by a third party that has the confirmations of the chain.
 * The service does not follow deeper reorganisations of such payments.
 */
const toFollowedDepth = ({ ground: { chain, terms } }: World, depth: number): number => {
  const newest = chain.blocks.length - 1
  const isOthers = ({ tx }: (typeof chain.blocks)[number]['txs'][number]) =>
    chain.foreign.has(tx.hash) && tx.call.data !== '0x' && fromData(tx.call.data).name === 'pay'
  const final = chain.blocks.findLastIndex((block, at) => newest - at >= terms.confirmations && block.txs.some(isOthers))
  return Math.min(depth, newest - final)
}

const isRunning = (status: string) => status === 'funded' || status === 'submitted'
const later = ({ ground }: World) => Math.floor(ground.time.now() / 1_000) + 86_400
const anAddress = (text: string): Address => address.parse(text)

type Forged = { jobKey: string; provider: Address; random: Random }

const forge = ({ ground }: World, { jobKey, provider, random }: Forged) => {
  const { chain, time } = ground
  const expiredAt = Math.floor(time.now() / 1_000) + 86_400
  const terms = { client: stranger, provider, evaluator: places.evaluator, expiredAt, jobKey, budget: String(1 + random.int(5)) }
  chain.callFrom(stranger, { name: 'hire', terms })
}

/** Causes one event of the kinds that are active in this scenario. */
export const happen = async (at: Acting): Promise<void> => {
  const possible = events.filter(it => at.world.ground.faults.has(it.kind))
  if (possible.length > 0) await at.random.weighted(possible).happen(at)
}

/** Ends all conditions: chain and token work again, the treasury is funded, and the clock is correct. */
export const clear = ({ world, users }: { world: World; users: User[] }): void => {
  const { chain, time, search } = world.ground
  Object.assign(chain.weather, { haltedUntil: 0, skewMs: 0, lagBlocks: 0, gasPrice: usualGasPrice, ignoresFilters: false })
  chain.weather.revertNext.clear()
  for (const it of [...world.log.agentWallets.values(), ...users.flatMap(user => user.proxy ?? [])]) chain.setBlocked(it, false)
  chain.give(places.treasury, coinFor.treasury)
  for (const tx of chain.pool.values()) chain.pool.set(tx.hash, { ...tx, notBefore: 0 })
  time.jump(time.now() - time.clock.now())
  search.catchUp()
}
