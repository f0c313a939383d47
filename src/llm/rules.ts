import type { Model } from '../ports.ts'
import { createActReader } from './acts/reader.ts'
import { choose } from './choice/choose.ts'
import { fillRequest } from './filling/fillRequest.ts'
import { fillSaid } from './filling/fillSaid.ts'
import { understand } from './rules/understand.ts'

// Long runs of blanks mean nothing to a reader and cost the patterns time that grows with their square.
const blanks = /\s{20,}/g
const toReadable = (message: string) => message.replace(blanks, run => (run.includes('\n') ? '\n\n' : ' '))

/** Only what costs nothing will do. */
const free =
  /\b(?:only )?(?:if|when|as long as) (?:it'?s|it is|that'?s|this is) (?:really )?(?:for )?free\b|\bfor free\b|\bfree of charge\b|\bwithout paying\b/i

/**
 * The model without a model: example sentences and fixed rules over English words, no network, the same answer every time.
 * What it cannot read it leaves out, so that the user is asked; wishes it neither finds nor judges.
 * @param dir where the trained reader of acts is kept
 */
export const createRules = ({ dir }: { dir?: string | undefined } = {}): Model => {
  const reader = createActReader({ dir })
  return {
    id: 'rules',
    read: async of => ({ ...(await reader.read(of)), by: 'rules' }),
    phrase: async ({ text }) => text,
    understand: async said => {
      const read = understand(said.map(toReadable))
      const { limits } = fillRequest({ text: said.at(-1) ?? '', requirement: null, now: Date.now() })
      const maxPrice = read.maxPrice ?? limits.maxPrice ?? (free.test(said.at(-1) ?? '') ? '0' : undefined)
      return { ...read, maxPrice, withinMinutes: limits.withinMinutes }
    },
    choose: async of => choose(of),
    wishes: async () => [],
    judge: async ({ wishes }) => wishes.map(() => ({ outcome: 'unverifiable', evidence: '' })),
    fill: async ({ now = Date.now(), text, said, ...of }) =>
      text === undefined ? fillSaid({ ...of, said, now }) : fillRequest({ ...of, text, now }).values,
  }
}
