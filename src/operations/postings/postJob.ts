import { z } from 'zod'
import { defaultChainId } from '../../domain/chains.ts'
import { toWallet } from '../../domain/hex.ts'
import { isShallow, jsonObject } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { formatUsdc, parseUsdc } from '../../domain/money.ts'
import { Problem } from '../../domain/problem.ts'
import { operation } from '../operation.ts'
import { jobRecord, toPostingRecord } from './jobRecord.ts'
import { checkSpeaker, personId, toKey } from './people.ts'

const mostDecimals = 18
const mostSeconds = 366 * 86_400

/** Money moves only through a hire: a posted job is a record that its people keep by hand. */
export const postJob = operation({
  name: 'postJob',
  summary: 'Post a job as a record: client, provider and evaluator move it by hand, and nothing is paid from it.',
  caller: 'anyone',
  repeats: 'answer',
  input: z
    .object({
      client_id: personId,
      description: z.string().min(1).max(limits.messageChars),
      reward_amount: z.number().min(0).default(0),
      reward_token: z.string().max(100).default('USDC'),
      evaluator_id: z.string().max(200).nullish(),
      expires_in: z.coerce.number().int().min(1).max(mostSeconds).default(86_400).describe('Seconds'),
      chain_id: z.coerce.number().int().optional(),
      metadata: jsonObject.nullish(),
    })
    .refine(it => isShallow(it), 'is nested too deeply'),
  output: jobRecord,

  async run(input, deps, caller) {
    checkSpeaker(input.client_id, caller, '/client_id')
    const reward = parseUsdc(input.reward_amount, mostDecimals)
    if (reward === undefined) throw new Problem('invalid-price', undefined, '/reward_amount')
    const metadata = input.metadata ?? {}
    const named = z.object({ chain_id: z.number().int() }).safeParse(metadata)
    const evaluatorId = input.evaluator_id ?? ''
    const now = deps.clock.now()
    const posting = await deps.store.addPosting({
      id: deps.ids.fresh('job'),
      chainId: input.chain_id ?? (named.success ? named.data.chain_id : defaultChainId),
      description: input.description,
      rewardAmount: formatUsdc(reward, mostDecimals),
      rewardToken: input.reward_token,
      clientId: input.client_id,
      clientKey: toKey(input.client_id),
      isProven: caller.wallet !== undefined && toWallet(input.client_id) === caller.wallet,
      providerId: '',
      providerKey: '',
      evaluatorId,
      evaluatorKey: toKey(evaluatorId),
      metadata,
      expiresAt: now + input.expires_in * 1_000,
    })
    return toPostingRecord(posting, now)
  },
})
