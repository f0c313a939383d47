import { setTimeout as pause } from 'node:timers/promises'
import { parseGwei } from 'viem'
import { refusal } from '../faults/real/lies.ts'
import type { Forward, Question, Reply } from '../faults/real/rpcProxy.ts'
import { createRandom, type Random } from '../faults/sim/random.ts'
import type { Bsc } from './bsc.ts'

/** Share of requests that a bad public node fails, delays, or never answers. */
const badShare = 0.05
const lateMs = 1_500
/** Longer than the service waits for an answer. */
const lostMs = 11_000
const silentMs = 10_000
/** Above the highest fee that the service pays on BSC. It falls by an eighth with each empty block. */
const spike = parseGwei('3')
/** Least time between two events. */
const minPauseMs = 8_000

type Manner = { name: string; reply(question: Question, forward: Forward): Promise<Reply> }

const manners: readonly Manner[] = [
  { name: '502', reply: async () => ({ status: 502, words: '<h1>Bad gateway</h1>' }) },
  { name: '429', reply: async () => ({ status: 429, words: 'slow down' }) },
  { name: 'limit exceeded', reply: async () => refusal('limit exceeded', -32_005) },
  { name: 'cut before', reply: async () => 'cut' },
  { name: 'cut after', reply: (question, forward) => forward(question).then(() => 'cut') },
  { name: 'late', reply: (question, forward) => pause(lateMs).then(() => forward(question)) },
  { name: 'lost', reply: (question, forward) => pause(lostMs).then(() => forward(question)) },
]

type Event = { name: string; strike(bsc: Bsc): Promise<unknown> }

const eventsOf = (deepest: number): readonly Event[] => [
  ...[1, 2, deepest].map(depth => ({ name: `reorg of ${depth}`, strike: ({ ask }: Bsc) => ask('anvil_reorg', depth, []) })),
  { name: 'gas price spike', strike: ({ client }) => client.setNextBlockBaseFeePerGas({ baseFeePerGas: spike }) },
  {
    name: 'silent node',
    async strike({ proxy }) {
      void proxy.add({ times: Number.POSITIVE_INFINITY, touches: () => isSilent, reply: async () => 'cut' })
      let isSilent = true
      await pause(silentMs)
      isSilent = false
    },
  },
]

/**
 * Makes a node flaky until the returned function is called: one request in twenty fails, comes late or is lost, and every few
 * seconds the chain is reorganised, its gas price rises, or the node falls silent. Two events are at least half the time of a
 * confirmation apart. The deepest reorganisation happens once in five events, so between two of them transactions are confirmed.
 * @param deepest blocks of the deepest reorganisation, which is the number of confirmations
 */
export const startWeather = (
  bsc: Bsc,
  { seed, deepest, blockSeconds }: { seed: number; deepest: number; blockSeconds: number },
) => {
  const random = createRandom(`weather/${seed}`)
  const struck = new Map<string, number>()
  const count = (name: string) => struck.set(name, (struck.get(name) ?? 0) + 1)
  const ending = new AbortController()
  const flaky = () =>
    void bsc.proxy.add({
      times: Number.POSITIVE_INFINITY,
      touches: () => random.next() < badShare,
      reply(question, forward) {
        const manner = random.pick(manners)
        count(manner.name)
        return manner.reply(question, forward)
      },
    })
  flaky()
  const pauseMs = Math.max(minPauseMs, (deepest * blockSeconds * 1_000) / 2)
  const running = strikeUntil(ending.signal, { bsc, random, deepest, count, pauseMs })
  return {
    /** How often each fault happened. */
    struck: (): Record<string, number> => Object.fromEntries([...struck].toSorted()),
    async stop() {
      ending.abort()
      await running
      bsc.proxy.clear()
    },
  }
}

type Striking = { bsc: Bsc; random: Random; deepest: number; count(name: string): void; pauseMs: number }

const strikeUntil = async (signal: AbortSignal, { bsc, random, deepest, count, pauseMs }: Striking) => {
  let deck: Event[] = []
  while (!signal.aborted) {
    await pause(pauseMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    if (deck.length === 0) deck = random.shuffled(eventsOf(deepest))
    const [event, ...rest] = deck
    deck = rest
    if (!event) continue
    count(event.name)
    await event.strike(bsc)
  }
}
