import { z } from 'zod'
import { toWallet } from '../../domain/hex.ts'
import { isShallow } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { formatUsdc, maxDecimals, parseUsdc } from '../../domain/money/money.ts'
import { Problem } from '../../domain/problem.ts'
import { isVisible } from '../../domain/text/quotableText.ts'
import { boundedMetadata } from '../../operations/checkTexts.ts'
import { type Caller, operation, preselectedChainOf } from '../../operations/operation.ts'
import type { Tables } from '../../ports.ts'
import { jobRecord } from '../../records/postedJob.ts'
import { checkAuthor, personId, toKey } from './people.ts'
import { boardOf } from './ports.ts'
import { toPostingRecord } from './postingRecord.ts'

const maxSeconds = 366 * 86_400

/** A posted job moves no money; only hires do. It is a record that its parties update by hand. */
export const postJob = operation({
  name: 'postJob',
  summary: 'Post a job as a record: client, provider and evaluator update it themselves, and nothing is paid.',
  caller: 'anyone',
  scope: 'hire',
  repeats: 'answer',
  input: z
    .object({
      client_id: personId,
      description: z.string().min(1).max(limits.descriptionChars).refine(isVisible, 'It needs text that can be read.'),
      reward_amount: z.number().min(0).default(0),
      reward_token: z.string().max(100).default('USDC'),
      evaluator_id: z.string().max(200).nullish(),
      expires_in: z.coerce
        .number()
        .int()
        .min(1)
        .max(maxSeconds)
        .default(86_400)
        .describe('Seconds; at most one day when the client sends no token'),
      chain_id: z.coerce.number().int().optional(),
      metadata: boundedMetadata,
    })
    .refine(it => isShallow(it), 'is nested too deeply'),
  output: jobRecord,

  async run(input, deps, caller) {
    checkAuthor(input.client_id, caller, '/client_id')
    const reward = parseUsdc(input.reward_amount, maxDecimals)
    if (reward === undefined) throw new Problem('invalid-price', undefined, '/reward_amount')
    const metadata = input.metadata ?? {}
    const named = z.object({ chain_id: z.number().int() }).safeParse(metadata)
    const evaluatorId = input.evaluator_id ?? ''
    const now = deps.clock.now()
    const isProven = caller.wallet !== undefined && toWallet(input.client_id) === caller.wallet
    const openMs = isProven ? input.expires_in * 1_000 : Math.min(input.expires_in * 1_000, limits.openWithoutTokenMs)
    const wanted = {
      id: deps.ids.fresh('job'),
      chainId: input.chain_id ?? (named.success ? named.data.chain_id : preselectedChainOf(deps)),
      description: input.description,
      rewardAmount: formatUsdc(reward, maxDecimals),
      rewardToken: input.reward_token,
      clientId: input.client_id,
      clientKey: toKey(input.client_id),
      isProven,
      providerId: '',
      providerKey: '',
      evaluatorId,
      evaluatorKey: toKey(evaluatorId),
      metadata,
      expiresAt: now + openMs,
      source: caller.source,
    }
    const postedJob = await deps.store.atomically(async tables => {
      await checkRoom(tables, { wallet: isProven ? caller.wallet : undefined, source: caller.source })
      return boardOf(tables).addPostedJob(wanted)
    })
    return toPostingRecord(postedJob, now)
  },
})

/**
 * Limits stored posted jobs per client, per network address, and in total.
 * @throws Problem too-many-postings
 */
const checkRoom = async (tables: Tables, of: Pick<Caller, 'wallet'> & { source: string | undefined }) => {
  const { ofWallet, ofAddress, ofStrangers, ofUsers } = await boardOf(tables).lockPostedJobCounts({
    wallet: of.wallet,
    source: of.source,
  })
  if (ofWallet >= limits.postedJobs)
    throw new Problem(
      'too-many-postings',
      `At most ${limits.postedJobs} posted jobs are allowed per client. Close one, or wait a day.`,
    )
  if (ofAddress >= limits.postedJobsOfAddress)
    throw new Problem('too-many-postings', `At most ${limits.postedJobsOfAddress} posted jobs are allowed per network address.`)
  if (of.wallet ? ofUsers >= limits.postedJobsWithToken : ofStrangers >= limits.postedJobsWithoutToken)
    throw new Problem('too-many-postings', 'There are too many posted jobs. Post with a token, or later.')
}
