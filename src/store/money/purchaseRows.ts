import type { Sql, Tx } from '../engine/db.ts'

// SQL of the core on the rows of purchases. The core counts their gas, ends their leases and removes their texts.

/** The key of a purchase's approval of Permit2, where the purchase is `p`. */
export const approvalKey = `'purchase:' || p.id || ':approve'`

/** Ends the leases of a process that has ended, so that the next process continues at once. */
export const freePurchases = ({ sql }: Tx) =>
  sql('update purchase set due_at = {NOW} where due_at is not null and due_at > {NOW}')

/** Deletes the parts of an answer. What people read of it stays in the purchase. */
export const removeParts = async (sql: Sql, id: string): Promise<void> => {
  await sql('delete from answer_part where purchase_id = $1', [id])
  await sql('update purchase set answer_parts = 0 where id = $1 and answer_parts > 0', [id])
}
