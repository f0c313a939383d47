import { z } from 'zod'
import type { Hex } from '../../domain/hex.ts'
import { UnreadableRow } from '../../domain/problem.ts'
import { parsed } from '../../ports/rows/columns.ts'
import { followedBy, type Row, type Value } from './db.ts'
import { packedText } from './packed.ts'

// Columns are the fields in snake case. Rows are parsed: a column that does not fit makes the reader throw.

/** Encodes hex text for a column of `hexBytes`. */
export const toBytes = (text: Hex): Uint8Array => Buffer.from(text.slice(2), 'hex')
/** A column with packed JSON. */
export const packedJson = <T extends z.ZodType>(schema: T) => packedText.transform(parsed).pipe(schema)

/** A list of states for `in (…)`. States are our own words, never texts of users. */
export const quoted = (states: readonly string[]): string => states.map(it => `'${it}'`).join(', ')

const toColumn = (field: string) => `"${toSnake(field)}"`
const toSnake = (field: string) => field.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** A row type: its column list for `select` and `returning`, and its parsers. */
export const rowOf = <S extends z.ZodRawShape>(shape: S) => {
  const schema = z.object(shape)
  const fields = Object.keys(shape).map(field => [field, toSnake(field)] as const)
  const parse = (row: Row) => {
    const named: Row = {}
    for (const [field, column] of fields) named[field] = row[column]
    try {
      return schema.parse(named)
    } catch (error) {
      throw new UnreadableRow(error instanceof z.ZodError ? z.prettifyError(error).replaceAll('\n', ' ') : error)
    }
  }
  const columns = Object.keys(shape).map(toColumn)
  return {
    columns: columns.join(', '),
    /** The columns of a table that a statement gives another name. */
    columnsOf: (alias: string) => columns.map(it => `${alias}.${it}`).join(', '),
    /** The columns as the text of a JSON object, which `parse` reads like a row. */
    objectOf: (alias: string) => `{OBJECT}(${fields.map(([, column]) => `'${column}', ${alias}."${column}"`).join(', ')})`,
    /** @throws UnreadableRow */
    parse,
    all: (rows: Row[]) => rows.map(parse),
    one: (rows: Row[]) => (rows[0] ? parse(rows[0]) : undefined),
    /** The row of a statement that always returns one. @throws Error without a row */
    sole: ([row]: Row[]) => {
      if (!row) throw new Error('a statement returned no row')
      return parse(row)
    },
  }
}

/** Whether a statement found or wrote a row. */
export const hasRow = async (rows: Promise<Row[]>): Promise<boolean> => (await rows).length > 0

/** The number in the column `total` of a statement that counts. */
export const countOf = async (rows: Promise<Row[]>): Promise<number> => Number((await rows)[0]?.total)

/** The placeholders of a list for `in (…)`, from a number on. Empty for an empty list. */
export const placesOf = (list: readonly unknown[], from = 1): string => list.map((_, at) => `$${from + at}`).join(', ')

/** A column list that reads null instead of texts longer than the given number of characters. */
export const withoutLong = (columns: string, chars: Record<string, number>): string =>
  Object.entries(chars).reduce(
    (list, [column, most]) =>
      list.replace(`"${column}"`, `case when length("${column}") <= ${most} then "${column}" end as "${column}"`),
    columns,
  )

/**
 * Builds an insert statement. Further clauses may be appended to the text.
 * @param stamps columns set to the time of the statement
 */
export const insertion = (
  table: string,
  values: Record<string, Value>,
  stamps: string[] = [],
): [text: string, params: Value[]] => {
  const columns = [...Object.keys(values), ...stamps].map(toColumn)
  const marks = [placesOf(Object.keys(values)), ...stamps.map(() => '{NOW}')]
  return [`insert into ${table} (${columns.join(', ')}) values (${marks.join(', ')})`, Object.values(values)]
}

/**
 * Like `insertion`, of a row that is added only if a condition holds.
 * @param condition `from … where …` or `where …`; its placeholders begin at the given number
 */
export const insertionIf = (
  table: string,
  values: Record<string, Value>,
  { condition, stamps = [] }: { condition: (at: number) => string; stamps?: string[] },
): [text: string, params: Value[]] => {
  const fields = Object.keys(values)
  const into = `${table} (${[...fields, ...stamps].map(toColumn).join(', ')})`
  const row = [placesOf(fields), ...stamps.map(() => '{NOW}')].join(', ')
  return [`insert into ${into} select ${row} ${condition(fields.length + 1)}`, Object.values(values)]
}

/**
 * Builds a `where` clause that requires all given fields; no fields match every row. Further placeholders continue after
 * `params`.
 */
export const matching = (filter: Record<string, Value>): { where: string; params: Value[] } => {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined)
  const conditions = given.map(([field], at) => `${toColumn(field)} = $${at + 1}`)
  return { where: conditions.length > 0 ? `where ${conditions.join(' and ')}` : '', params: given.map(([, value]) => value) }
}

export type Statement = [text: string, params: readonly Value[]]

/**
 * One statement in place of several. Those after the first run if it returned a row, so each has the condition `{ADDED}`, which a
 * server needs. They may be without it where the first always returns a row.
 */
export const joined = (statements: readonly Statement[], { always = false } = {}): Statement => {
  const params: Value[] = []
  if (!always && statements.slice(1).some(([text]) => !text.includes('{ADDED}')))
    throw new RangeError('a statement that follows another one has no condition {ADDED}')
  const texts = statements.map(([text, of]) => {
    const before = params.length
    params.push(...of)
    return text.replace(/\$(\d+)/g, (_, at: string) => `$${Number(at) + before}`)
  })
  return [texts.join(` ${followedBy} `), params]
}
