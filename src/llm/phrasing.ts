import { phrasePrompt } from '../../prompts/phrase.ts'
import { toSpoken } from '../domain/text/quotableText.ts'
import { spokenNumbers } from '../language/words/numerals.ts'
import type { LanguageModel } from '../ports.ts'
import { phrased } from './answers.ts'
import type { createAsk } from './ask.ts'
import type { KeptPhrases } from './keptPhrases.ts'

/** What a model may not change or add: quotations, links, addresses, names of agents, values of labelled lines, figures. */
const facts = [
  // Lines of a proposal that contain the input of the job.
  /(?<=^It gets:\n)(?:(?!\n\n)[\s\S])+/m,
  /[“"][^“”"\n]{1,400}[”"]/,
  /\bhttps?:\/\/\S+|[\w.+-]{1,64}@[\w-]{1,63}\.[\w.]+/,
  /(?<=\bby )[^(),.;:\n]{1,80}(?= \()/,
  /(?<=\()[a-z0-9][a-z0-9-]*(?=\))/,
  /(?<=^(?:- )?[\p{L} ]{1,40}: )[^\n]+/mu,
  /\p{L}*\d[\p{L}\d.,:/%-]*[\p{L}\d%](?: USDC)?|\d(?: USDC)?/u,
  /\b[a-z0-9]+(?:[-_][a-z0-9]+)+\b/,
  /\bUSDC\b/,
]
const fact = new RegExp(facts.map(it => `(?:${it.source})`).join('|'), 'gmu')

/** Replaces each figure and name of a text by `{1}`, `{2}` … */
export const maskFacts = (text: string): { masked: string; parts: string[] } => {
  const parts: string[] = []
  const masked = text.replace(fact, found => `{${parts.push(found)}}`)
  return { masked, parts }
}

const token = /\{(\d+)\}/g
/** Maximum ratio of a translation's length to that of its text. */
const maxTimes = 3
const spareChars = 80
const smallNumber = 10
/** A longer text is mostly a deliverable and is not translated. */
const maxChars = 2_000

/** Endings that French and Portuguese join to a verb, and words that have a hyphen. */
const french = 'je|tu|t|il|elle|on|nous|vous|ils|elles|moi|toi|le|la|les|lui|leur|y|en|ce|ci'
const portuguese = 'se|me|te|lo|las|los|os|as|o|a|lhe'
const joined = new RegExp(`-(?:${french}|${portuguese}|mail|to|li)$`)
const handleLike = /(?<![\p{L}\p{N}])[a-z0-9]+(?:[-_.][a-z0-9]+)+(?![\p{L}\p{N}])/gu
const foreign = /\p{N}|https?:|www\.|@|[$€£¥₿]|\b(?:USDC|USDT|USD|EUR|ETH|BTC|BNB)\b/iu
/** A capital letter in the middle of a sentence begins a name, but not in German. */
const nameLike = /(?<=[\p{Ll}\p{Lo}\p{M},;}] )\p{Lu}\p{Ll}{2,}/gu
const latinWord = /\p{Script=Latin}{3,}/gu

const lineCount = (text: string) => text.split('\n').length
const wordsOf = (text: string) => new Set(text.toLowerCase().match(/\p{L}+/gu))

/** Whether a model's wording contains a figure, name or link that the original text does not contain. */
const bringsIn = (prose: string, text: string, language: string): boolean => {
  const known = wordsOf(text)
  const isNew = (it: string) => !known.has(it.toLowerCase())
  const isOtherScript =
    (prose.match(/(?!\p{Script=Latin})\p{L}/gu)?.length ?? 0) > (prose.match(/\p{Script=Latin}/gu)?.length ?? 0)
  return (
    foreign.test(prose) ||
    [...spokenNumbers(prose)].some(it => it > smallNumber && !spokenNumbers(text).has(it)) ||
    (prose.match(handleLike) ?? []).some(it => !text.includes(it) && !joined.test(it)) ||
    (language !== 'de' && (prose.match(nameLike) ?? []).some(isNew)) ||
    (isOtherScript && (prose.match(latinWord) ?? []).some(isNew))
  )
}

/**
 * Puts figures and names back into a model's translation.
 * @returns undefined when it lost or repeated one, or brought in a figure, a name or a link of its own
 */
export const unmaskFacts = (
  said: string,
  { masked, parts }: ReturnType<typeof maskFacts>,
  language: string,
): string | undefined => {
  const text = toSpoken(said, masked.length * maxTimes + spareChars)
  const used = [...text.matchAll(token)].map(it => Number(it[1]))
  const isWhole = used.length === parts.length && new Set(used).size === parts.length && used.every(it => parts[it - 1])
  const isAlike = text.trim() !== '' && text === said && lineCount(text) === lineCount(masked)
  if (!isWhole || !isAlike || bringsIn(text.replace(token, '{}'), masked.replace(token, '{}'), language)) return undefined
  return text.replace(token, (_, at: string) => parts[Number(at) - 1] ?? '')
}

/** Translates a text of the service into the user's language. The model gets placeholders for figures and names. */
export const createPhrasing = (ask: ReturnType<typeof createAsk>, kept: KeptPhrases): Pick<LanguageModel, 'phrase'> => ({
  async phrase({ text, language }, asking) {
    const hidden = maskFacts(text)
    if (hidden.masked.length > maxChars) return text
    const key = `${language}\n${hidden.masked}`
    const question = { name: 'phrase', schema: phrased, ...asking, ...phrasePrompt({ text: hidden.masked, language }) }
    const said = (await kept.read(key)) ?? (await ask(question)).text
    const phrase = unmaskFacts(said, hidden, language)
    if (phrase === undefined) asking?.fail?.()
    else await kept.keep(key, said)
    return phrase ?? text
  },
})
