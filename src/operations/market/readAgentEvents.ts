import { z } from 'zod'
import { toIso } from '../../domain/durations.ts'
import { formatUsdc } from '../../domain/money/money.ts'
import { agentEventsRecord } from '../../records/market/earnings.ts'
import { resolveAgent } from '../agents/resolveAgent.ts'
import { operation } from '../operation.ts'

/** Agent servers call this after each message. An unknown agent is an empty list, not an error. */
export const readAgentEvents = operation({
  name: 'readAgentEvents',
  summary: 'The latest payments to an agent.',
  caller: 'anyone',
  input: z.object({
    agent: z.string().max(200),
    limit: z.coerce.number().int().min(1).max(100).default(10),
    types: z.string().max(200).default('payment_settled'),
  }),
  output: agentEventsRecord,

  async run({ agent, limit, types }, deps) {
    const found = types.split(',').includes('payment_settled') ? await resolveAgent(deps, agent) : undefined
    if (!found?.id) return []
    return (await deps.store.payouts(found.id, limit)).map(it => ({
      type: 'payment_settled' as const,
      destination: it.payee.replace('wallet:', ''),
      amount: Number(formatUsdc(it.amount, deps.chains.get(it.chainId)?.usdcDecimals ?? 6)),
      currency: 'USDC' as const,
      ts: toIso(it.at),
      tx_url: it.txHash,
      job_id: it.jobId,
    }))
  },
})
