import { globSync, readFileSync } from 'node:fs'
import { Command, InvalidArgumentError } from 'commander'
import { createRandom } from '../../src/domain/random.ts'

// Prints random comments, to be read by an engineer who does not know the code: npm run comments -- [--seed N] [--count N]. The
// same seed draws the same comments from the same files.

const roots = ['src', 'graphs', 'prompts', 'test']
const block = /^[ \t]*\/\*\*?[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n?)+/gm
const directive = /biome-ignore|@ts-|SPDX-License/

type Comment = { file: string; line: number; text: string }

/** The comments of a file that fill their lines, without compiler and linter directives. */
const commentsOf = (file: string): Comment[] => {
  const source = readFileSync(file, 'utf8')
  return [...source.matchAll(block)].flatMap(({ 0: raw, index }) => {
    const text = raw.replace(/^[ \t]*(?:\/\*\*?|\*\/|\*|\/\/+)[ \t]?|[ \t]*\*\/\s*$/gm, '').trim()
    return !/[a-z]{3}/i.test(text) || directive.test(raw) ? [] : [{ file, line: source.slice(0, index).split('\n').length, text }]
  })
}

/** Draws up to `count` different items. */
const draw = <T>(items: readonly T[], { seed, count }: { seed: number; count: number }): T[] => {
  const random = createRandom(seed)
  const keyed = items.map(item => ({ item, key: random() }))
  return keyed
    .toSorted((a, b) => a.key - b.key)
    .slice(0, count)
    .map(it => it.item)
}

const toInteger = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('must be a whole number')
  return Number(text)
}

const options = new Command('comments')
  .description('Prints comments drawn at random.')
  .option('--seed <number>', 'chooses the comments', toInteger, 1)
  .option('--count <number>', 'how many comments are printed', toInteger, 30)
  .parse()
  .opts<{ seed: number; count: number }>()

const files = globSync(`{${roots.join(',')}}/**/*.{ts,tsx,sol}`, { exclude: name => name.includes('node_modules') }).toSorted()
for (const { file, line, text } of draw(files.flatMap(commentsOf), options))
  process.stdout.write(`${file}:${line}\n  ${text.replaceAll('\n', '\n  ')}\n\n`)
