import type { HeldTurn } from './hold.ts'
import { summarise } from './summary.ts'

/** The turns that failed and the figures, as lines; the last line of a report is the summary as JSON. */
export const toReport = (turns: HeldTurn[]): string[] => [
  ...turns
    .filter(it => it.faults.length > 0)
    .map(
      ({ name, say, heard, faults }) =>
        `✗ ${name}\n    > ${say}\n    ${heard.words.replace(/\s+/g, ' ').slice(0, 240)}\n${faults.map(it => `    ${it}`).join('\n')}`,
    ),
  ...Object.entries(summarise(turns).by_kind).map(([kind, { turns: count, right }]) => `${kind.padEnd(12)} ${right} of ${count}`),
]
