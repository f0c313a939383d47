import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { readUnmetTurns } from './data.ts'
import { holdAll } from './hold.ts'
import { toReport } from './report.ts'
import { callAt, startService } from './service.ts'
import { summarise } from './summary.ts'

/**
 * Runs the conversations of people with this checkout's service, or with the one at `--url`. Prints which turns got worse or
 * better.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string' },
    json: { type: 'boolean', default: false },
    pin: { type: 'boolean', default: false },
  },
})
const print = (line: string) => process.stdout.write(`${line}\n`)
const tell = (line: string) => values.json || print(line)

const { call, stop } = values.url ? { call: callAt(values.url), stop: async () => {} } : await startService()
const turns = await holdAll(call, { only: positionals }).finally(stop)
const failed = turns.filter(it => it.faults.length > 0)
for (const line of toReport(turns)) tell(line)
const unmet = await readUnmetTurns()
const lost = failed.map(it => it.name).filter(it => !unmet.has(it))
const won = turns.filter(it => it.faults.length === 0 && unmet.has(it.name)).map(it => it.name)
for (const [what, of] of Object.entries({ lost, won })) tell(`${what}: ${of.length}${of.map(it => `\n    ${it}`).join('')}`)
if (values.pin)
  await writeFile(
    new URL('unmet.txt', import.meta.url),
    `# Turns that do not come out as written: conversation and turn. A turn leaves this list when it comes out right.\n${failed.map(it => it.name).join('\n')}\n`,
  )
print(JSON.stringify(summarise(turns)))
process.exitCode = lost.length > 0 && !values.pin ? 1 : 0
