import { toOwnWords } from '../../domain/text/ownWords.ts'
import type { Model } from '../../ports.ts'
import { createActReader } from '../acts/reader.ts'
import { choose } from '../choice/choose.ts'
import { fillRequest } from '../filling/fillRequest.ts'
import { fillSaid } from '../filling/fillSaid.ts'
import { findLeftOut } from '../filling/leftOut.ts'
import { toOwnLines } from '../rules/ownLimits.ts'
import { readHireSentence } from '../rules/phrases.ts'
import { understand } from '../rules/understand.ts'
import { shortenBlanks } from '../text/blanks.ts'

/** Matches a user who accepts only free offerings. */
const free =
  /\b(?:only )?(?:if|when|as long as) (?:it'?s|it is|that'?s|this is) (?:really )?(?:for )?free\b|\bfor free\b|\bfree of charge\b|\bwithout paying\b/i

/**
 * Creates a model that uses no language model: example sentences and fixed rules for English. It needs no network, and its
 * answers are deterministic. Values it cannot read are left out, so that the user is asked.
 * @param dir directory for the weights of the act classifier
 */
export const createRules = ({ dir }: { dir?: string | undefined } = {}): Model => {
  const reader = createActReader({ dir })
  return {
    id: 'rules',
    read: async of => ({ ...(await reader.read(of)), by: 'rules' }),
    understand: async (said, now = Date.now()) => {
      const message = shortenBlanks(said)
      const own = readHireSentence(message)?.frame ?? toOwnLines(message)
      const { limits } = fillRequest({ text: own, requirement: null, now })
      const maxPrice = limits.maxPrice ?? (free.test(toOwnWords(own).text) ? '0' : undefined)
      return { ...understand(message), maxPrice, withinMinutes: limits.withinMinutes }
    },
    choose: async of => choose(of),
    leftOut: async of => findLeftOut(of),
    fill: async ({ now = Date.now(), text, said, ...of }) =>
      text === undefined ? fillSaid({ ...of, said, now }) : fillRequest({ ...of, text, now }).values,
  }
}
