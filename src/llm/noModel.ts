import { Problem } from '../domain/problem.ts'
import type { LanguageModel } from '../ports.ts'

/** What takes the place of a language model where none is configured. It reads nothing, and leaves wishes undecided. */
export const noModel: LanguageModel = {
  id: 'rules',
  turn: () => Promise.reject(new Problem('model-unavailable', 'No language model is configured.')),
  phrase: async ({ text }) => text,
  judge: async ({ wishes }) => wishes.map(() => ({ outcome: 'unverifiable', evidence: '' })),
}
