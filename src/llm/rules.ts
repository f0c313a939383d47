import type { Model } from '../ports.ts'
import { fillSaid } from './filling/fillSaid.ts'
import { choose } from './rules/choose.ts'
import { understand } from './rules/understand.ts'

// Long runs of blanks mean nothing to a reader and cost the patterns time that grows with their square.
const blanks = /\s{20,}/g
const toReadable = (message: string) => message.replace(blanks, run => (run.includes('\n') ? '\n\n' : ' '))

/**
 * The model without a model: fixed rules over English words, no network, the same answer every time. It knows phrases, not
 * meanings: what it cannot read it leaves out, so that the user is asked; wishes it neither finds nor judges.
 */
export const createRules = (): Model => ({
  id: 'rules',
  understand: async said => understand(said.map(toReadable)),
  choose: async of => choose(of),
  wishes: async () => [],
  judge: async ({ wishes }) => wishes.map(() => ({ outcome: 'unverifiable', evidence: '' })),
  fill: async ({ now = Date.now(), ...of }) => fillSaid({ ...of, now }),
})
