import type { Model } from '../ports.ts'
import { createActReader } from './acts/reader.ts'
import { choose } from './rules/choose.ts'
import { fill } from './rules/fill.ts'
import { understand } from './rules/understand.ts'

// Long runs of blanks mean nothing to a reader and cost the patterns time that grows with their square.
const blanks = /\s{20,}/g
const toReadable = (message: string) => message.replace(blanks, run => (run.includes('\n') ? '\n\n' : ' '))

/**
 * The model without a model: example sentences and fixed rules over English words, no network, the same answer every time.
 * What it cannot read it leaves out, so that the user is asked; wishes it neither finds nor judges.
 * @param dir where the trained reader of acts is kept
 */
export const createRules = ({ dir }: { dir?: string | undefined } = {}): Model => {
  const reader = createActReader({ dir })
  return {
    id: 'rules',
    read: async of => reader.read(of),
    understand: async said => understand(said.map(toReadable)),
    choose: async of => choose(of),
    wishes: async () => [],
    judge: async ({ wishes }) => wishes.map(() => ({ outcome: 'unverifiable', evidence: '' })),
    fill: async ({ said, requirement }) => fill({ said: said.map(toReadable), requirement }),
  }
}
