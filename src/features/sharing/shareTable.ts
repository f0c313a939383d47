import type { Scope } from '../../store/engine/db.ts'
import { countOf, hasRow, insertion, rowOf } from '../../store/engine/rows.ts'
import { type ShareTables, shareRow } from './ports.ts'

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
