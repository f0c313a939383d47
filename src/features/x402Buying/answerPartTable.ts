import { z } from 'zod'
import type { Scope } from '../../store/engine/db.ts'
import { insertion, rowOf } from '../../store/engine/rows.ts'
import { removeParts } from '../../store/money/purchaseRows.ts'
import type { PurchaseTables } from './ports.ts'

export type AnswerParts = Pick<PurchaseTables, 'addAnswerPart' | 'answerPart' | 'sweepAnswers'>

/** Answers deleted per transaction, each with up to 8 MiB. Other writes can proceed in between. */
const answersAtOnce = 20

const parts = rowOf({ body: z.instanceof(Uint8Array) })
const old = `select distinct purchase_id as id from answer_part where created_at < {NOW} - $1 limit ${answersAtOnce}`

export const answerPartTable = ({ read, write }: Scope): AnswerParts => ({
  addAnswerPart: (id, at, bytes) =>
    write(async ({ sql }) => {
      if (at === 0) await removeParts(sql, id)
      await sql(...insertion('answer_part', { purchaseId: id, at, body: bytes }, ['createdAt']))
    }),

  async answerPart(id, at) {
    const rows = await read(`select ${parts.columns} from answer_part where purchase_id = $1 and at = $2`, [id, at])
    return parts.one(rows)?.body
  },

  sweepAnswers: keepMs =>
    write(async ({ sql }) => {
      const ids = (await sql(old, [keepMs])).map(row => String(row.id))
      for (const id of ids) await removeParts(sql, id)
      return ids.length === answersAtOnce
    }),
})
