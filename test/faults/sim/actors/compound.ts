import type { Random } from '../random.ts'
import type { Wish } from './themes.ts'

type Line = (secret: string, noun: string) => string

/** A task of its own, and a task that takes the result of the one before it, by what the one before does. */
const firsts: Record<Kind, Line> = {
  summary: (secret, noun) => `Summarize a text. text: Notes of ${secret} about ${noun}`,
  poem: (secret, noun) => `Write a short poem in rhyme about the ${noun} of ${secret}`,
  checksum: (secret, noun) => `Compute the checksum of a word. word: ${noun}-${secret}`,
}
const nexts: Record<Kind, { kind: Kind; words: string }[]> = {
  poem: [
    { kind: 'summary', words: 'Summarize the poem' },
    { kind: 'checksum', words: 'Compute a checksum from the poem' },
  ],
  summary: [{ kind: 'checksum', words: 'Compute a checksum from the summary' }],
  checksum: [],
}
type Kind = 'summary' | 'poem' | 'checksum'
const kinds: Kind[] = ['summary', 'poem', 'checksum']
const nouns = ['bees', 'rivers', 'clocks', 'lanterns', 'glaciers', 'violins', 'harbours', 'meadows']

const mostTasks = 8

/** A request for two to eight things at once. Some take the result of the one before. */
export const askForSeveral = (random: Random): Wish => {
  const count = random.pick([2, 2, 3, 3, 4, 5, 6, 7, mostTasks])
  const lines: ((secret: string) => string)[] = []
  let last: Kind | undefined
  for (const noun of random.shuffled(nouns).slice(0, count)) {
    const next = last && nexts[last].length > 0 && random.chance(0.6) ? random.pick(nexts[last]) : undefined
    const kind = next?.kind ?? random.pick(kinds)
    lines.push(secret => next?.words ?? firsts[kind](secret, noun))
    last = kind
  }
  return { name: 'Several things', ask: secret => lines.map((it, at) => `${at + 1}. ${it(secret)}`).join('\n') }
}
