import { z } from 'zod'
import type { Scope } from '../../store/engine/db.ts'
import { countOf, hasRow, insertion, rowOf } from '../../store/engine/rows.ts'
import { type MarkTables, markRow } from './ports.ts'

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
