import type { Model } from '../ports.ts'
import { createActReader } from './acts/reader.ts'
import { fillRequest } from './filling/fillRequest.ts'
import { choose } from './choice/choose.ts'
import { fillSaid } from './filling/fillSaid.ts'
import { understand } from './rules/understand.ts'

// Long runs of blanks mean nothing to a reader and cost the patterns time that grows with their square.
const blanks = /\s{20,}/g
const toReadable = (message: string) => message.replace(blanks, run => (run.includes('\n') ? '\n\n' : ' '))

/** The most that a message wants to pay, whatever it asks for. */
const limitOf = (text: string) => fillRequest({ text, requirement: null, now: 0 }).limits.maxPrice

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
    understand: async said => {
      const read = understand(said.map(toReadable))
      return { ...read, maxPrice: read.maxPrice ?? limitOf(said.at(-1) ?? '') }
    },
    choose: async of => choose(of),
    wishes: async () => [],
    judge: async ({ wishes }) => wishes.map(() => ({ outcome: 'unverifiable', evidence: '' })),
    fill: async ({ now = Date.now(), text, said, ...of }) =>
      text === undefined ? fillSaid({ ...of, said, now }) : fillRequest({ ...of, text, now }).values,
  }
}
