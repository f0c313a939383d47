import type { Deadlines } from '../../domain/jobs/deadlines.ts'
import { toJobKind } from '../../domain/jobs/job.ts'
import { isObject, parseJson } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { UnreadableRow } from '../../domain/problem.ts'
import { jobRow, listedJobRow } from '../../ports/rows/job.ts'
import type { Job, ListedJob } from '../../ports.ts'
import type { Aside, Row } from '../engine/db.ts'
import { rowOf, withoutLong } from '../engine/rows.ts'

/** The condition of a job of kind `hire`, in SQL. */
export const isHire = "(budget <> '0')"

const listed = rowOf(listedJobRow)
const stored = rowOf(jobRow)

/** The columns of a job, for `select` and `returning`. */
export const jobColumns = stored.columns

type Columns = Deadlines & Parameters<typeof toJobKind>[0]
const fromColumns = <T extends Columns>({ pickupBy, leaseMs, submitBy, evaluateBy, expiresAt, ...job }: T) => ({
  ...job,
  kind: toJobKind(job),
  deadlines: { pickupBy, leaseMs, submitBy, evaluateBy, expiresAt },
})

/** A job as the text of a JSON object, for `select`, and its parser. */
export const jobObjectOf = stored.objectOf
export const parseJob = (text: string): Job | undefined => {
  const row = parseJson(text)
  try {
    return isObject(row) ? fromColumns(stored.parse(row)) : undefined
  } catch (error) {
    // Whoever needs it reads the row itself, which names the fault.
    if (error instanceof UnreadableRow) return undefined
    throw error
  }
}

export const toJobs = (rows: Row[]): Job[] => stored.all(rows).map(fromColumns)
/** The jobs of a work list. */
export const toSoundJobs = (aside: Aside, rows: Row[]): (Job & { seq: number })[] =>
  aside.sound('job', { parse: row => ({ ...fromColumns(stored.parse(row)), seq: Number(row.seq) }) }, rows)

/** Like `jobColumns`, for lists: long deliverables are omitted. */
export const listedJobColumns = withoutLong(listed.columns, { deliverable: limits.listedDeliverableChars })
export const toListedJobs = (rows: Row[]): ListedJob[] => listed.all(rows).map(fromColumns)

export const toJob = (rows: Row[]): Job | undefined => toJobs(rows.slice(0, 1))[0]
