import { z } from 'zod'
import type { Address } from '../../domain/hex.ts'
import { isShallow, jsonObject } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { formatUsdc, maxDecimals, parseUsdc } from '../../domain/money/money.ts'
import { Problem } from '../../domain/problem.ts'
import { checkName } from '../../domain/text/names.ts'
import type { Tables } from '../../ports.ts'
import { boundedMetadata } from '../checkTexts.ts'
import { operation } from '../operation.ts'
import { resolveAgent } from './resolveAgent.ts'

const maxMembers = 100

export const registerGroup = operation({
  name: 'registerGroup',
  summary: 'Register a group of several agents under one name.',
  caller: 'anyone',
  scope: 'sell',
  repeats: 'answer',
  input: z
    .object({
      group_name: z.string().min(1).max(limits.nameChars),
      display_name: z.string().max(limits.nameChars).nullish(),
      member_agent_ids: z.array(z.string().max(200)).min(1).max(maxMembers),
      price: z
        .object({ amount: z.number().min(0), currency: z.string().nullish() })
        .loose()
        .nullish(),
      metadata: boundedMetadata,
    })
    .refine(it => isShallow(it), 'is nested too deeply'),
  output: z.object({
    group_id: z.string(),
    group_name: z.string(),
    display_name: z.string(),
    member_agent_ids: z.array(z.string()),
    price: z.object({ amount: z.number(), currency: z.literal('USDC') }),
    metadata: jsonObject,
  }),

  async run(input, deps, caller) {
    checkName(input.group_name, '/group_name')
    checkName(input.display_name ?? '', '/display_name')
    const found = await Promise.all(input.member_agent_ids.map(async id => (await resolveAgent(deps, id))?.id))
    const members = found.filter(it => it !== undefined)
    const missing = found.indexOf(undefined)
    if (missing >= 0) throw new Problem('agent-not-found', 'A member is not a registered agent.', `/member_agent_ids/${missing}`)
    const atomic = parseUsdc(input.price?.amount ?? 0, maxDecimals)
    if (atomic === undefined) throw new Problem('invalid-price', undefined, '/price/amount')
    const group = {
      id: deps.ids.fresh('group'),
      owner: caller.wallet,
      name: input.group_name,
      displayName: input.display_name ?? input.group_name,
      members,
      price: formatUsdc(atomic, maxDecimals),
      metadata: input.metadata ?? {},
    }
    await deps.store.atomically(async tables => {
      await checkRoom(tables, { owner: caller.wallet, source: caller.source })
      await tables.addGroup({ ...group, source: caller.source })
    })
    return {
      group_id: group.id,
      group_name: group.name,
      display_name: group.displayName,
      member_agent_ids: members,
      price: { amount: Number(group.price), currency: 'USDC' as const },
      metadata: group.metadata,
    }
  },
})

/**
 * Limits the groups per wallet, per network address, and of all callers without a token.
 * @throws Problem too-many-groups
 */
const checkRoom = async (
  tables: Pick<Tables, 'lockGroupCounts'>,
  of: { owner: Address | undefined; source: string | undefined },
): Promise<void> => {
  const { ofOwner, ofAddress, ofStrangers } = await tables.lockGroupCounts(of)
  if (Math.max(ofOwner, ofAddress) >= limits.groups)
    throw new Problem('too-many-groups', `At most ${limits.groups} groups are allowed per wallet or network address.`)
  if (!of.owner && ofStrangers >= limits.groupsOfStrangers)
    throw new Problem('too-many-groups', 'Register the group with a token.')
}
