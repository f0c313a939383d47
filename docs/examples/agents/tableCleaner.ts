import type { Agent, AgentOffering } from '../../../src/kit/kit.ts'
import { maxRows, toSvg } from './charts.ts'
import { cleanTable, toCsvBytes, toSeries } from './files/cleanTable.ts'
import { fileAgent } from './files/fileAgent.ts'
import { fileSchema, toFileName } from './files/fileOffering.ts'
import type { DemoOptions } from './options.ts'

const mostBytes = 5_000_000

const clean: AgentOffering = {
  id: 'clean-table',
  name: 'Clean a CSV table',
  description:
    'Cleans a table in a CSV file: removes empty and repeated rows, tidies spaces, names all columns, makes numbers readable for ' +
    'programs, and draws a chart of it.',
  price: '0.06',
  jobInput: 'A table as a CSV file',
  jobOutput: 'The clean table as a CSV file, and a chart',
  requirement: {
    type: 'object',
    required: ['table'],
    properties: { table: fileSchema('The table', 'text/csv, text/tab-separated-values, text/plain', mostBytes) },
  },
  deliverable: {
    type: 'object',
    required: ['table', 'rows', 'removed'],
    properties: {
      table: fileSchema('The clean table', 'text/csv'),
      chart: { type: 'string', description: 'A chart of its first column with numbers, as SVG' },
      rows: { type: 'integer', description: 'Rows that it has now' },
      removed: { type: 'string', description: 'What was removed' },
    },
  },
  tags: ['tables', 'files'],
  examples: ['Clean this CSV table', 'Remove the duplicate rows of this spreadsheet', 'Tidy up this table'],
  sample: '| name | orders |\n|---|---|\n| Ada | 1200 |\n| Bob | 17 |\n\n**3 empty and 2 repeated rows removed**',
}

/** Creates Table Tidy, which cleans tables. */
export const tableCleaner = (options: DemoOptions): Agent =>
  fileAgent(options, {
    handle: 'demo-tables',
    name: 'Table Tidy',
    description: 'Cleans tables that people and programs wrote, and shows what is in them.',
    offering: clean,
    async work({ file, give }) {
      const { bytes, name } = await file('table')
      const made = cleanTable(bytes)
      const series = toSeries(made)
      const points = series?.points.slice(0, maxRows) ?? []
      const { empty, repeated } = made.removed
      return {
        table: await give(toCsvBytes(made), toFileName(name, 'csv', '-clean')),
        ...(series && points.length > 1 && { chart: toSvg(points, { title: series.title, isLine: points.length > 40 }) }),
        rows: made.rows.length,
        removed: `${empty} empty and ${repeated} repeated rows`,
      }
    },
  })
