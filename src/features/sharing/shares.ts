import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { toIso } from '../../domain/durations.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import { endOwn } from '../../operations/endOwn.ts'
import { type Deps, operation, userOf } from '../../operations/operation.ts'
import { type ShareRecord, shareRecord, sharesRecord } from '../../records/share.ts'
import type { Scope } from '../../store/engine/db.ts'
import { countOf, hasRow, insertion, rowOf } from '../../store/engine/rows.ts'
import { type Share, type ShareTables, shareRow, shareTables } from './ports.ts'
import { isShowable } from './readShared.ts'

const shares = rowOf(shareRow)

const ofRun = `select ${shares.columns} from shared_result where run_id = $1 and wallet = $2`
const ofWallet = `select ${shares.columns} from shared_result where wallet = $1 order by created_at desc, token`

export const shareTable = ({ read, run, write }: Scope): ShareTables => ({
  addShare: (share, most) =>
    write(async ({ sql }) => {
      await sql('select {LOCKED_NAME} as held', [`shares:${share.wallet}`])
      const known = shares.one(await sql(ofRun, [share.runId, share.wallet]))
      if (known) return known
      const others = await countOf(sql('select count(*) as total from shared_result where wallet = $1', [share.wallet]))
      if (others >= most) return undefined
      const [insert, params] = insertion('shared_result', share, ['createdAt'])
      return shares.one(await sql(`${insert} returning ${shares.columns}`, params))
    }),

  share: async token => shares.one(await read(`select ${shares.columns} from shared_result where token = $1`, [token])),
  sharesOf: async wallet => shares.all(await read(ofWallet, [wallet])),

  forgetShares: async wallet => {
    await run('delete from shared_result where wallet = $1', [wallet])
  },

  endShare: (token, wallet) =>
    hasRow(run('delete from shared_result where token = $1 and wallet = $2 returning token', [token, wallet])),
})

/** Bytes of a link's token: it can be found only by who was given it. */
const tokenBytes = 16

const toRecord = async ({ store, settings }: Deps, { token, runId, createdAt }: Share): Promise<ShareRecord> => ({
  share_id: token,
  run_id: runId,
  url: `${settings.publicUrl}/app/s/${token}`,
  offering_name: (await store.jobOfRun(runId))?.terms.offeringName ?? '',
  since: toIso(createdAt),
})

export const shareResult = operation({
  name: 'shareResult',
  summary: 'Show the result of a paid job to everybody who has its link: the work, agent, price and date, and nothing else.',
  input: z.object({ run_id: z.string().max(100) }),
  output: shareRecord,

  async run({ run_id }, deps, caller) {
    const wallet = userOf(caller)
    const run = await deps.store.run(run_id)
    if (run?.user !== wallet) throw new Problem('run-not-found')
    if (!isShowable(await deps.store.jobOfRun(run_id)))
      throw new Problem('invalid-input', 'run_id has no result that was delivered and paid.', '/run_id')
    const token = randomBytes(tokenBytes).toString('base64url')
    const share = await shareTables(deps.store).addShare({ token, wallet, runId: run_id }, limits.sharedResults)
    if (!share) throw new Problem('too-many-kept')
    return toRecord(deps, share)
  },
})

export const listShares = operation({
  name: 'listShares',
  summary: 'Your results that others may read by a link, newest first.',
  input: z.object({ run_id: z.string().max(100).optional().describe('Only the link to this result') }),
  output: sharesRecord,

  async run({ run_id }, deps, caller) {
    const shares = await shareTables(deps.store).sharesOf(userOf(caller))
    const wanted = shares.filter(it => run_id === undefined || it.runId === run_id)
    return { shares: await Promise.all(wanted.map(it => toRecord(deps, it))) }
  },
})

export const endShare = endOwn({
  name: 'endShare',
  summary: 'Withdraw a link. Nobody can read the result by it any more; what was copied before cannot be taken back.',
  input: z.object({ share_id: z.string().max(100) }),
  missing: 'No such link.',
  end: ({ share_id }, { store }, wallet) => shareTables(store).endShare(share_id, wallet),
})
