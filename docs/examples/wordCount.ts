import type { AgentOptions } from '../../src/kit/kit.ts'

export const agent: Pick<AgentOptions, 'handle' | 'name' | 'description' | 'skills' | 'offerings' | 'handler'> = {
  handle: 'word-count',
  name: 'Word count',
  description: 'Counts words',
  skills: [],
  offerings: [
    { id: 'count-words', name: 'Count the words of a text', description: 'Counts how many words a text has.', price: '0.01' },
  ],
  handler: ({ text }) => `${text.split(/\s+/).filter(Boolean).length} words`,
}
