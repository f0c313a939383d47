import { judgePrompt } from '../../prompts/judge.ts'
import { toQuotable } from '../domain/text/quotableText.ts'
import type { LanguageModel } from '../ports.ts'
import { found } from './answers.ts'
import type { createAsk } from './ask.ts'

/** A judge sees at most this many characters of a deliverable. It cannot report text after them as missing. */
const shownChars = 6_000
const wishChars = 160
const evidenceChars = 200
const taskChars = 500

/**
 * Creates the model function that judges wishes. A finding must refer to a known wish. A wish cannot fail when part of the
 * deliverable was not shown.
 */
export const createJudging = (ask: ReturnType<typeof createAsk>): Pick<LanguageModel, 'judge'> => ({
  async judge({ task, wishes, deliverable }, asking) {
    const isCut = deliverable.length > shownChars
    const texts = judgePrompt({
      task: toQuotable(task, taskChars),
      wishes: wishes.map(it => toQuotable(it, wishChars)),
      deliverable: toQuotable(deliverable, shownChars),
      isCut,
    })
    const { findings } = await ask({ name: 'judgement', schema: found, ...asking, ...texts })
    return wishes.map((_words, at) => {
      const said = findings.find(it => it.wish === at)
      if (!said || (isCut && said.outcome === 'fail')) return { outcome: 'unverifiable', evidence: '' }
      return { outcome: said.outcome, evidence: toQuotable(said.evidence, evidenceChars) }
    })
  },
})
