import { z } from 'zod'
import { toIso } from '../../domain/durations.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import { findRegistered } from '../../operations/agents/resolveAgent.ts'
import { endOwn } from '../../operations/endOwn.ts'
import { type Deps, operation, userOf } from '../../operations/operation.ts'
import { markName, markRecord, marksRecord, reportReason } from '../../records/mark.ts'
import { type Mark, markTables } from './ports.ts'

const agent = z.string().max(200).describe('Its id or handle')

const toRecord = async ({ store }: Deps, { agentId, mark, at }: Mark) => {
  const found = await store.agent(agentId)
  const names = { agent_handle: found?.handle ?? '', agent_name: found?.name ?? '' }
  return { agent_id: agentId, ...names, mark, since: toIso(at) }
}

export const listMarks = operation({
  name: 'listMarks',
  summary: 'The agents that you marked as favourites or blocked, newest first.',
  scope: 'look',
  input: z.object({}),
  output: marksRecord,

  async run(_input, deps, caller) {
    const marks = await markTables(deps.store).marksOf(userOf(caller))
    return { marks: await Promise.all(marks.map(it => toRecord(deps, it))) }
  },
})

export const markAgent = operation({
  name: 'markAgent',
  summary: 'Mark an agent as a favourite, or block it: it is then not found, proposed or hired for you, also under a mandate.',
  input: z.object({ agent_id: agent, mark: markName }),
  output: markRecord,

  async run({ agent_id, mark }, deps, caller) {
    const { id } = await findRegistered(deps, agent_id)
    const set = await markTables(deps.store).setMark(userOf(caller), { agentId: id, mark }, limits.agentMarks)
    if (!set) throw new Problem('too-many-kept')
    return toRecord(deps, { agentId: id, mark, at: deps.clock.now() })
  },
})

export const unmarkAgent = endOwn({
  name: 'unmarkAgent',
  summary: 'Remove your mark of an agent.',
  input: z.object({ agent_id: agent }),
  missing: 'You did not mark this agent.',
  end: async ({ agent_id }, deps, wallet) => markTables(deps.store).dropMark(wallet, (await findRegistered(deps, agent_id)).id),
})

const most = { ofWallet: limits.agentReports, ofAll: limits.agentReportsOfAll }

export const reportAgent = operation({
  name: 'reportAgent',
  summary: 'Report an agent to the operator of this service. The agent does not learn who reported it.',
  input: z.object({
    agent_id: agent,
    reason: reportReason,
    words: z.string().trim().max(limits.agentReportChars).default('').describe('What happened'),
  }),
  output: z.object({ reported: z.literal(true) }),

  async run({ agent_id, reason, words }, deps, caller) {
    const { id } = await findRegistered(deps, agent_id)
    const report = { id: deps.ids.fresh('report'), wallet: userOf(caller), agentId: id, reason, words }
    if (!(await markTables(deps.store).addReport(report, most))) throw new Problem('too-many-kept')
    return { reported: true as const }
  },
})
