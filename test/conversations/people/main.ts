import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { command, print } from '../../command.ts'
import { readUnmetTurns } from './data.ts'
import { holdAll } from './hold.ts'
import { toReport } from './report.ts'
import { callAt, startService } from './service.ts'
import { summarise } from './summary.ts'

const program = command('people', 'Runs conversations as people have them, and prints which turns got worse or better.')
  .argument('[names...]', 'names of conversations; all of them without one')
  .option('--url <url>', "a running service; without it one of this checkout's")
  .option('--market <dir>', 'a market and conversations of your own; which turns got worse is then not known')
  .option('--wait <ms>', 'how long each answer may take; more on a busy machine', '4000')
  .option('--json', 'print the last line only', false)
  .option('--pin', 'record which turns come out right', false)
  .parse()
const values = program.opts<{ url?: string; market?: string; wait: string; json: boolean; pin: boolean }>()
const folder = values.market === undefined ? undefined : pathToFileURL(`${resolve(values.market)}/`)
const tell = (line: string) => values.json || print(line)

const { call, stop } = values.url ? { call: callAt(values.url), stop: async () => {} } : await startService()
const turns = await holdAll(call, { only: program.args, folder, waitMs: Number(values.wait) }).finally(stop)
const failed = turns.filter(it => it.faults.length > 0)
for (const line of toReport(turns)) tell(line)
const unmet = folder ? new Set(turns.map(it => it.name)) : await readUnmetTurns()
const lost = failed.map(it => it.name).filter(it => !unmet.has(it))
const won = folder ? [] : turns.filter(it => it.faults.length === 0 && unmet.has(it.name)).map(it => it.name)
for (const [what, of] of Object.entries({ lost, won })) tell(`${what}: ${of.length}${of.map(it => `\n    ${it}`).join('')}`)
if (values.pin && !folder)
  await writeFile(
    new URL('unmet.txt', import.meta.url),
    `# Turns that do not come out as written: conversation and turn. A turn leaves this list when it comes out right.\n${failed.map(it => it.name).join('\n')}\n`,
  )
print(JSON.stringify(summarise(turns)))
process.exitCode = lost.length > 0 && !values.pin ? 1 : 0
