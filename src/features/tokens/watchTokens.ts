import type { Chain, Launchpad, Store } from '../../ports.ts'
import { type Cursor, firstCursor, followBlocks } from '../../workers/followBlocks.ts'
import type { Worker } from '../../workers/loop.ts'
import { applyTokenEvents, EventMissing, retractTokenEvents } from './applyTokenEvents.ts'
import { tokenTables } from './ports.ts'

type Reach = { store: Store; chain: Chain; launchpad: Launchpad }

const comparedBlocks = 256
/** How often events are read again before a trade that does not follow from them is taken as mined. */
const maxReadsAgain = 3

/**
 * Follows the launchpad's events from the stored cursor. What it stores follows from the chain alone: after a reorganisation
 * everything above the newest common block is deleted and read again. The same is done when a node omitted an event.
 */
export const watchTokens = (deps: Reach): Worker => {
  const { store, chain, launchpad } = deps
  const readAgainFor = new Map<string, number>()
  const step = followBlocks({
    chain,
    skipsEmpty: true,
    cursor: async () => (await tokenTables(store).tokenCursor(chain.chainId)) ?? (await firstCursor(deps)),
    events: launchpad.events,
    async apply(events, range) {
      try {
        return await applyTokenEvents(deps, events, range)
      } catch (error) {
        if (!(error instanceof EventMissing)) throw error
        const times = (readAgainFor.get(error.trade) ?? 0) + 1
        readAgainFor.set(error.trade, times)
        if (times <= maxReadsAgain) await readAgain(deps, range.from, error)
        else {
          // One token must not stop the reading of the others. The amounts of its trades are those of the events.
          await applyTokenEvents(deps, events, { ...range, takesGaps: true })
          readAgainFor.delete(error.trade)
        }
        throw error
      }
    },
    visited: () => tokenTables(store).tokenBlocks(chain.chainId, comparedBlocks),
    retract: (to, { from }) => retractTokenEvents(deps, { from, to }),
  })
  return { name: `watchTokens ${chain.chainId}`, channel: 'blocks', idleMs: 250, runOnce: step }
}

/** Moves the cursor back before the newest event of the token, because the missing one is above that. */
const readAgain = async (deps: Reach, from: Cursor, { readAfter }: EventMissing): Promise<void> => {
  const number = readAfter < from.number ? readAfter : from.number
  const hash = number < 0n ? undefined : await deps.chain.blockHash(number)
  if (hash && from.hash) await retractTokenEvents(deps, { from, to: { number, hash } })
}
