import { choosePrompt } from '../../prompts/choose.ts'
import { fillPrompt } from '../../prompts/fill.ts'
import { limits } from '../domain/limits.ts'
import { takesPlainText } from '../domain/schemas/plainInput.ts'
import { toQuotable, toSpoken } from '../domain/text/quotableText.ts'
import { toProperties } from '../language/fields/requirement.ts'
import { withExactTexts } from '../language/filling/exact.ts'
import { fillSaid } from '../language/filling/fillSaid.ts'
import { createApartRules } from '../language/reader/apartRules.ts'
import type { Model } from '../ports.ts'
import { chosen, filled } from './answers.ts'
import { createAsk } from './ask.ts'
import { createJudging } from './judging.ts'
import { createPhrasing, isGroundedProse } from './phrasing.ts'
import { type ModelSource, toLanguageModel } from './provider.ts'
import { createReading, toInput, toValues } from './reading.ts'

/** Time limit of one model call, in ms. A run makes several calls, and the caller waits for all of them. */
const defaultTimeoutMs = 20_000
/** Text written by strangers is cut to this length in a prompt. */
const quotedChars = 300
/** Maximum number of listings in a prompt. A search returns ten; more would only cost tokens. */
const shownListings = 20
const taskChars = 500

const none = { decision: 'none' as const, picks: [], sure: 0 }

const spoken = (said: string[]) => said.map(it => toSpoken(it, limits.messageChars))

/**
 * Creates a model that uses the AI SDK. Its answers are validated: a price must be decimal, an agent must be named by the user,
 * and a listing must have been shown. Inputs must fit the offering's schema and be supported by the user's words.
 */
export const createAiModel = (
  of: ModelSource,
  { timeoutMs = defaultTimeoutMs, rules = createApartRules() }: { timeoutMs?: number; rules?: Model } = {},
): Model => {
  const id = `${of.provider}:${of.model}`
  const ask = createAsk({ languageModel: toLanguageModel(of), timeoutMs })

  return {
    id,
    leftOut: rules.leftOut,
    ...createJudging(ask),
    ...createReading({ ask, rules, id }),
    ...createPhrasing(ask),

    async choose({ task, listings }, asking) {
      const places = [...listings.keys()].filter(at => !listings[at]?.isBeyond).slice(0, shownListings)
      const shown = places
        .flatMap(at => listings[at] ?? [])
        .map(({ name, description, price, slaMinutes }) => ({
          name: toQuotable(name, quotedChars),
          description: toQuotable(description, quotedChars),
          price,
          slaMinutes,
        }))
      if (shown.length === 0) return { ...none, reason: 'No listing was found.' }
      const texts = choosePrompt({ task: toQuotable(task, taskChars), listings: shown })
      const { pick, reason } = await ask({ name: 'choice', schema: chosen, ...asking, ...texts })
      const told = toQuotable(reason, quotedChars)
      const words = isGroundedProse(told, texts.prompt) ? told : ''
      const place = places[pick]
      if (place !== undefined) return { decision: 'propose', picks: [place], reason: words || 'It fits the task best.', sure: 1 }
      return { ...none, reason: pick === -1 && words ? words : 'No listing was chosen.' }
    },

    async fill({ said, requirement, listing, now = Date.now() }, asking) {
      if (takesPlainText(requirement)) return fillSaid({ said, requirement, now, ...(listing && { listing }) })
      const properties = toProperties(requirement)
      const texts = fillPrompt({ said: spoken(said), inputs: properties.map(toInput) })
      const { values } = await ask({ name: 'form', schema: filled, ...asking, ...texts })
      const read = fillSaid({ said, requirement, now, ...(listing && { listing }) })
      return withExactTexts(toValues(properties, values, said.join('\n')), read, said)
    },
  }
}
