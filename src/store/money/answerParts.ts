import { z } from 'zod'
import type { PurchaseTables } from '../../ports.ts'
import type { Scope, Sql } from '../engine/db.ts'
import { insertion, rowOf } from '../engine/rows.ts'

export type AnswerParts = Pick<PurchaseTables, 'addAnswerPart' | 'answerPart' | 'sweepAnswers'>

/** Answers deleted per transaction, each with up to 8 MiB. Other writes can proceed in between. */
const answersAtOnce = 20

const parts = rowOf({ body: z.instanceof(Uint8Array) })
const old = `select distinct purchase_id as id from answer_part where created_at < {NOW} - $1 limit ${answersAtOnce}`

/** The parts of long answers to paid requests. */
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

/** Deletes the parts of an answer. What people read of it stays in the purchase. */
export const removeParts = async (sql: Sql, id: string): Promise<void> => {
  await sql('delete from answer_part where purchase_id = $1', [id])
  await sql('update purchase set answer_parts = 0 where id = $1 and answer_parts > 0', [id])
}
