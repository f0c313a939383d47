import { choosePrompt } from '../../prompts/choose.ts'
import { fillPrompt } from '../../prompts/fill.ts'
import { understandPrompt } from '../../prompts/understand.ts'
import type { Json } from '../domain/json.ts'
import { limits } from '../domain/limits.ts'
import { takesPlainText } from '../domain/plainInput.ts'
import { toQuotable, toSpoken } from '../domain/quotableText.ts'
import { takeChain } from '../domain/wishes.ts'
import type { Model } from '../ports.ts'
import { chosen, filled, understood } from './answers.ts'
import { createAsk } from './ask.ts'
import { fillSaid } from './filling/fillSaid.ts'
import { isGrounded } from './grounding.ts'
import { createJudging } from './judging.ts'
import { type ModelSource, toLanguageModel } from './provider.ts'
import { type Property, readJson, toProperties } from './requirement.ts'
import { createRules } from './rules.ts'

/** Time limit of one model call, in ms. A run makes several calls, and the caller waits for all of them. */
const defaultTimeoutMs = 20_000
/** Text written by strangers is cut to this length in a prompt. */
const quotedChars = 300
/** Maximum number of listings in a prompt. A search returns ten; more would only cost tokens. */
const shownListings = 20
const taskChars = 500

const none = { decision: 'none' as const, picks: [], sure: 0 }

const price = /^\d{1,12}(\.\d{1,18})?$/

const spoken = (said: string[]) => said.map(it => toSpoken(it, limits.messageChars))

const toInput = ({ name, type, description, required, allowed }: Property) => ({
  name: toQuotable(name, limits.nameChars),
  type: toQuotable(type, 20),
  description: toQuotable(description, quotedChars),
  required,
  allowed: allowed.map(it => toQuotable(String(it), 100)),
})

/** Reads a value as JSON. A model may omit the quotes of a string, so the plain text is tried next. */
const toValue = (property: Property, text: string): Json | undefined => [readJson(text), text].find(it => property.fits(it))

/**
 * Creates a model that uses the AI SDK. Its answers are validated: a price must be decimal, an agent must be named by the user,
 * and a listing must have been shown. Inputs must fit the offering's schema and be supported by the user's words.
 */
export const createAiModel = (
  of: ModelSource,
  { timeoutMs = defaultTimeoutMs, rules = createRules() }: { timeoutMs?: number; rules?: Model } = {},
): Model => {
  const ask = createAsk({ languageModel: toLanguageModel(of), timeoutMs })

  return {
    id: `${of.provider}:${of.model}`,
    ...createJudging(ask),
    read: rules.read,

    async understand(said, spend) {
      const answer = await ask({ name: 'understanding', schema: understood, spend, ...understandPrompt({ said: spoken(said) }) })
      const { intent, task, maxPrice, agent } = answer
      const asSaid = (words: string | null) =>
        words && said.some(it => it.toLowerCase().includes(words.toLowerCase())) ? words : undefined
      return {
        intent,
        task: toQuotable(task, taskChars),
        maxPrice: maxPrice && price.test(maxPrice) ? maxPrice : undefined,
        agent: asSaid(agent)?.replace(/^@/, ''),
        deadline: asSaid(answer.deadline),
        chainId: said.map(it => takeChain(it).found).findLast(it => it !== undefined),
        category: asSaid(answer.category),
      }
    },

    async choose({ task, listings }, spend) {
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
      const { pick, reason } = await ask({ name: 'choice', schema: chosen, spend, ...texts })
      const words = toQuotable(reason, quotedChars)
      const place = places[pick]
      if (place !== undefined) return { decision: 'propose', picks: [place], reason: words, sure: 1 }
      return { ...none, reason: pick === -1 && words ? words : 'No listing was chosen.' }
    },

    async fill({ said, requirement, listing, now = Date.now() }, spend) {
      if (takesPlainText(requirement)) return fillSaid({ said, requirement, now, ...(listing && { listing }) })
      const properties = toProperties(requirement)
      const texts = fillPrompt({ said: spoken(said), inputs: properties.map(toInput) })
      const { values } = await ask({ name: 'form', schema: filled, spend, ...texts })
      const words = said.join('\n')
      const given = new Map(values.map(it => [it.name, it.value]))
      const entries = properties.flatMap(property => {
        const text = given.get(property.name)
        const value = text === undefined ? undefined : toValue(property, text)
        // A value from a fixed list may be worded differently by the user. Any other value must occur in the user's words.
        const isSaid = value !== undefined && (property.allowed.length > 0 || isGrounded(value, words))
        return isSaid ? [[property.name, value] as const] : []
      })
      return Object.fromEntries(entries)
    },
  }
}
