import { readFileSync } from 'node:fs'
import { history } from '../src/domain/runs/history.ts'
import { createRules } from '../src/language/reader/rules.ts'
import { type Outcome, replay } from './butler/history/replay.ts'
import { openScriptedMarket } from './studio/market.ts'

// `npm run replay -- FILE`: runs an exported history against this code. Exit code 0: same decisions, 1: a difference, 2: no
// result.

/** The words and the exit code for an outcome. */
const describeOutcome = (outcome: Outcome): [words: string, code: number] => {
  if (outcome.kind === 'same') return [`Same decisions in ${outcome.steps} steps.`, 0]
  if (outcome.kind === 'incomplete')
    return [`The history is incomplete from step ${outcome.step} (${outcome.node}). Before it, the decisions are the same.`, 2]
  const { step, node, field, recorded, now } = outcome.difference
  const lines = [
    `First difference: step ${step}, node ${node}, field ${field}`,
    `  recorded: ${JSON.stringify(recorded) ?? 'nothing'}`,
    `  now:      ${JSON.stringify(now) ?? 'nothing'}`,
  ]
  return [lines.join('\n'), 1]
}

const run = async (file: string | undefined): Promise<[string, number]> => {
  if (!file) return ['Usage: npm run replay -- FILE, with a file of market run export', 2]
  try {
    return describeOutcome(await replay(history.parse(JSON.parse(readFileSync(file, 'utf8'))), openScriptedMarket(createRules())))
  } catch (error) {
    return [`${file} is not a history: ${error instanceof Error ? error.message : String(error)}`, 2]
  }
}

const [words, code] = await run(process.argv[2])
process.stdout.write(`${words}\n`)
process.exitCode = code
