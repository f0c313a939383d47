import type { LanguageModel } from '../ports.ts'
import { createAsk } from './ask.ts'
import { createJudging } from './judging.ts'
import { createKeptPhrases } from './keptPhrases.ts'
import { createPhrasing } from './phrasing.ts'
import { type ModelSource, toLanguageModel } from './provider.ts'
import { createTurn } from './turn.ts'

/** Time limit of one model call, in ms. */
const defaultTimeoutMs = 20_000
/** The most ms until the first part of the answer to a turn. */
const defaultFirstTokenMs = 4_000

/** `dir`: where translations are kept from one start to the next. */
type Options = { timeoutMs?: number; firstTokenMs?: number; dir?: string | undefined }

/** Creates a language model that uses the AI SDK. What it answers to a turn is not checked here. */
export const createAiModel = (
  of: ModelSource,
  { timeoutMs = defaultTimeoutMs, firstTokenMs = defaultFirstTokenMs, dir }: Options = {},
): LanguageModel => {
  const languageModel = toLanguageModel(of)
  const ask = createAsk({ languageModel, timeoutMs })
  return {
    id: `${of.provider}:${of.model}`,
    ...createTurn({ languageModel, isOpenAi: of.provider === 'openai', timeoutMs, firstTokenMs }),
    ...createPhrasing(ask, createKeptPhrases(dir)),
    ...createJudging(ask),
  }
}
