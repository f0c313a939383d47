import { judgePrompt } from '../../prompts/judge.ts'
import { wishesPrompt } from '../../prompts/wishes.ts'
import { maxWishes } from '../domain/jobs/acceptance.ts'
import { limits } from '../domain/limits.ts'
import { toQuotable, toSpoken } from '../domain/text/quotableText.ts'
import type { Model } from '../ports.ts'
import { found, wished } from './answers.ts'
import type { createAsk } from './ask.ts'

/** A judge sees at most this many characters of a deliverable. It cannot report text after them as missing. */
const shownChars = 6_000
const wishChars = 160
const evidenceChars = 200
const taskChars = 500

const toWords = (text: string) => text.toLowerCase().replace(/\s+/g, ' ')

/**
 * Creates the model functions that extract and judge wishes. A wish must occur in the user's own words. A finding must refer to
 * a known wish. A wish cannot fail when part of the deliverable was not shown.
 */
export const createJudging = (ask: ReturnType<typeof createAsk>): Pick<Model, 'wishes' | 'judge'> => ({
  async wishes(said, asking) {
    const spoken = said.map(it => toSpoken(it, limits.messageChars))
    const texts = wishesPrompt({ said: spoken, most: maxWishes })
    const { wishes } = await ask({ name: 'wishes', schema: wished, ...asking, ...texts })
    const heard = spoken.map(toWords)
    return [...new Set(wishes.map(it => toQuotable(it, wishChars)))]
      .filter(it => it !== '' && heard.some(words => words.includes(toWords(it))))
      .slice(0, maxWishes)
  },

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
