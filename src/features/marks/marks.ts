import { z } from 'zod'
import { toIso } from '../../domain/durations.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import { findRegistered } from '../../operations/agents/resolveAgent.ts'
import { endOwn } from '../../operations/endOwn.ts'
import { type Deps, operation, userOf } from '../../operations/operation.ts'
import { markName, markRecord, marksRecord, reportReason } from '../../records/mark.ts'
import type { Scope } from '../../store/engine/db.ts'
import { countOf, hasRow, insertion, rowOf } from '../../store/engine/rows.ts'
import { type Mark, type MarkTables, markRow, markTables } from './ports.ts'

const marks = rowOf(markRow)
const reports = rowOf({ agentId: z.string(), reason: z.string(), words: z.string(), at: z.number() })

const ofWallet = `select ${marks.columns} from agent_mark where wallet = $1 order by at desc, agent_id`
const blocked = `select ${marks.columns} from agent_mark where wallet = $1 and mark = 'blocked'`
const others = 'select count(*) as total from agent_mark where wallet = $1 and agent_id <> $2'
const counts = `select count(*) as total, count(case when wallet = $1 then 1 end) as own from agent_report
  where wallet <> $1 or agent_id <> $2`

type Marking = Omit<MarkTables, 'addReport' | 'reportsOf' | 'newestReports' | 'forgetMarks'>
type Reporting = Omit<MarkTables, keyof Marking>

export const markTable = ({ read, run, write }: Scope): Marking => ({
  setMark: (wallet, { agentId, mark }, most) =>
    write(async ({ sql }) => {
      await sql('select {LOCKED_NAME} as held', [`marks:${wallet}`])
      if ((await countOf(sql(others, [wallet, agentId]))) >= most) return false
      const [insert, params] = insertion('agent_mark', { wallet, agentId, mark }, ['at'])
      await sql(`${insert} on conflict (wallet, agent_id) do update set mark = excluded.mark, at = excluded.at`, params)
      return true
    }),

  dropMark: (wallet, agentId) =>
    hasRow(run('delete from agent_mark where wallet = $1 and agent_id = $2 returning agent_id', [wallet, agentId])),

  marksOf: async wallet => marks.all(await read(ofWallet, [wallet])),
  blockedBy: async wallet => new Set(marks.all(await read(blocked, [wallet])).map(it => it.agentId)),
})

export const reportTable = ({ read, write }: Scope): Reporting => ({
  addReport: (report, most) =>
    write(async ({ sql }) => {
      await sql('select {LOCKED_NAME} as held', [`reports:${report.wallet}`])
      const [row] = await sql(counts, [report.wallet, report.agentId])
      if (Number(row?.own) >= most.ofWallet || Number(row?.total) >= most.ofAll) return false
      const [insert, params] = insertion('agent_report', report, ['at'])
      const again = 'do update set reason = excluded.reason, words = excluded.words, at = excluded.at'
      await sql(`${insert} on conflict (wallet, agent_id) ${again}`, params)
      return true
    }),

  reportsOf: async wallet =>
    reports.all(await read(`select ${reports.columns} from agent_report where wallet = $1 order by at desc`, [wallet])),
  newestReports: async limit =>
    reports.all(await read(`select ${reports.columns} from agent_report order by at desc limit $1`, [limit])),

  forgetMarks: async wallet => {
    await write(async ({ sql }) => {
      await sql('delete from agent_mark where wallet = $1', [wallet])
      await sql('delete from agent_report where wallet = $1', [wallet])
    })
  },
})

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
