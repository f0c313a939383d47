import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { command, print, whole } from '../../command.ts'
import { readUnmetTurns } from './data.ts'
import { type HeldTurn, holdAll } from './hold.ts'
import { toReport } from './report.ts'
import { callAt, startService } from './service.ts'
import { summarise } from './summary.ts'

const program = command('people', 'Runs conversations as people have them, and prints which turns got worse or better.')
  .argument('[names...]', 'names of conversations; all of them without one')
  .option('--url <url>', "a running service; without it one of this checkout's")
  .option('--market <folder>', 'the market and conversations of another folder, such as ones written afresh')
  .option('--answer-seconds <seconds>', 'how long an answer may take, for a model that a person plays', whole, 60)
  .option('--json', 'print the last line only', false)
  .option('--pin', 'record which turns come out right', false)
  .parse()
type Options = { url?: string; market?: string; answerSeconds: number; json: boolean; pin: boolean }
const { url, market, answerSeconds, json, pin } = program.opts<Options>()
const tell = (line: string) => json || print(line)

/** Compares the project's own conversations with the turns recorded as unmet, or records them anew. */
const compare = async (turns: HeldTurn[]) => {
  const failed = turns.filter(it => it.faults.length > 0).map(it => it.name)
  const unmet = await readUnmetTurns()
  const lost = failed.filter(it => !unmet.has(it))
  const won = turns.filter(it => it.faults.length === 0 && unmet.has(it.name)).map(it => it.name)
  for (const [what, of] of Object.entries({ lost, won })) tell(`${what}: ${of.length}${of.map(it => `\n    ${it}`).join('')}`)
  if (pin)
    await writeFile(
      new URL('unmet.txt', import.meta.url),
      `# Turns that do not come out as written: conversation and turn. A turn leaves this list when it comes out right.\n${failed.join('\n')}\n`,
    )
  process.exitCode = lost.length > 0 && !pin ? 1 : 0
}

const folder = market === undefined ? undefined : pathToFileURL(`${resolve(market)}/`)
const { call, stop } = url ? { call: callAt(url), stop: async () => {} } : await startService()
const turns = await holdAll(call, { only: program.args, folder, answerMs: answerSeconds * 1_000 }).finally(stop)
for (const line of toReport(turns)) tell(line)
if (!folder) await compare(turns)
print(JSON.stringify(summarise(turns)))
