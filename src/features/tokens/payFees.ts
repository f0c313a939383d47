import { z } from 'zod'
import { type Atomic, formatUsdc } from '../../domain/money/money.ts'
import { Problem } from '../../domain/problem.ts'
import { assetSymbol } from '../../domain/tokens/agentToken.ts'
import { ownAgent } from '../../operations/agents/resolveAgent.ts'
import { maySpend } from '../../operations/gasBudget.ts'
import { operation } from '../../operations/operation.ts'
import { launchpadOf } from '../../operations/wallets/readWallet.ts'
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
