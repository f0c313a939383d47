import type { JsonObject } from '../../../../src/domain/json.ts'

/** A kind of work that agents offer and users request, in words that the rules understand. */
export type Theme = {
  name: string
  description: string
  requirement: JsonObject
  deliverable: JsonObject
  /** Whether its offerings ask for a validation of each hire. */
  isValidated: boolean
  /** A user's complete request. */
  ask(secret: string): string
  /** An incomplete request, and the answer to the question that follows. */
  vague?: { ask: string; answer(secret: string): string }
  deliver(input: string, mark: string): string
  broken: string
}

/** What a user asks for. */
export type Wish = Pick<Theme, 'name' | 'ask' | 'vague'>

const textField: JsonObject = {
  type: 'object',
  properties: { text: { type: 'string', description: 'The text to summarize' } },
  required: ['text'],
}
const summaryField: JsonObject = { type: 'object', properties: { summary: { type: 'string' } }, required: ['summary'] }

export const themes: Theme[] = [
  {
    name: 'Summarize a text',
    description: 'Reads an English text and returns a short summary of it.',
    requirement: textField,
    deliverable: summaryField,
    isValidated: true,
    ask: secret => `Summarize this text: "Notes of ${secret} about bees and honey."`,
    vague: { ask: 'Please summarize a text for me', answer: secret => `Notes of ${secret} about bees and honey.` },
    deliver: (input, mark) => JSON.stringify({ summary: `${mark}: ${input.slice(0, 200)}` }),
    broken: '{"sum": 1}',
  },
  {
    name: 'Write a poem',
    description: 'Writes a short poem about any topic in rhyme.',
    requirement: {},
    deliverable: {},
    isValidated: false,
    ask: secret => `Write a short poem in rhyme about ${secret}`,
    deliver: (_input, mark) => `Roses are red, ${mark} is blue.`,
    broken: '{}',
  },
  {
    name: 'Compute a checksum',
    description: 'Computes the checksum of a word and returns it as a number.',
    requirement: {
      type: 'object',
      properties: { word: { type: 'string', description: 'The word to compute the checksum of' } },
      required: ['word'],
    },
    deliverable: { type: 'object', properties: { checksum: { type: 'number' } }, required: ['checksum'] },
    isValidated: true,
    ask: secret => `Compute the checksum of a word. word: ${secret}`,
    vague: { ask: 'Compute the checksum of a word', answer: secret => secret },
    deliver: (input, mark) => JSON.stringify({ checksum: input.length, note: mark }),
    broken: 'seven',
  },
]
