import { z } from 'zod'
import { type Atomic, formatUsdc } from '../../domain/money/money.ts'
import { Problem } from '../../domain/problem.ts'
import { assetSymbol } from '../../domain/tokens/agentToken.ts'
import { ownAgent } from '../../operations/agents/resolveAgent.ts'
import { maySpend } from '../../operations/gasBudget.ts'
import { operation } from '../../operations/operation.ts'
import { launchpadOf } from '../../operations/wallets/readWallet.ts'
import type { Chain, Launchpad, Store } from '../../ports.ts'
import { type Cursor, firstCursor, followBlocks } from '../../workers/followBlocks.ts'
import type { Worker } from '../../workers/loop.ts'
import { applyTokenEvents, EventMissing, retractTokenEvents } from './applyTokenEvents.ts'
import { tokenTables } from './ports.ts'
import { reserveDecimals } from './tokenRecord.ts'

const feeRecord = z.object({
  currency: z.string(),
  waiting: z.string().describe("The creator's part of the fees that were not paid yet"),
  paid: z.string().describe("What was paid to the agent's wallet so far"),
  status: z.enum(['none', 'pending', 'failed']).describe('Of a payment under way'),
})

export const payTokenFees = operation({
  name: 'payTokenFees',
  summary: "Pay the fees of your agent's token into the agent's wallet, where its earnings are. The treasury pays the gas.",
  scope: 'sell',
  input: z.object({ agent: z.string().max(200) }),
  output: feeRecord,

  async run({ agent: text }, deps, caller) {
    const agent = await ownAgent(deps, text, caller)
    const { chain, launchpad } = launchpadOf(deps, agent.chainId)
    const token = await tokenTables(deps.store).tokenOfAgent(agent.id)
    if (!token) throw new Problem('token-not-found', 'This agent has no token.')
    const [curve, { creatorShareBps }] = [await launchpad.curve(token.token), await launchpad.facts()]
    const fees = ((curve?.fees ?? 0n) * BigInt(creatorShareBps)) / 10_000n
    const { sum, payments } = await tokenTables(deps.store).paidFees(agent.chainId, token.token)
    // The key contains the number of earlier payments, so a repeated request adds no second payment.
    const key = `token-fees:${agent.key}:${payments}`
    if (fees > 0n)
      await deps.store.atomically(async tables => {
        if (await tables.intent(key)) return
        if (!(await maySpend(tables, { wallet: agent.owner, chain }, 'trade'))) throw new Problem('gas-budget-used')
        const call = launchpad.payCreatorFees(token.token)
        await tables.addIntents([{ key, chainId: agent.chainId, sender: agent.wallet, call, after: undefined }])
      })
    const state = (await deps.store.intent(key))?.state
    const money = (amount: Atomic) => formatUsdc(amount, reserveDecimals(token, chain))
    const status = state === undefined ? ('none' as const) : state === 'reverted' ? ('failed' as const) : ('pending' as const)
    return { currency: assetSymbol(token.reserveKind, agent.chainId), waiting: money(fees), paid: money(sum), status }
  },
})

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
