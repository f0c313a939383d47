import { globSync, readFileSync } from 'node:fs'
import { createRandom } from '../../src/domain/random.ts'
import { command, print, whole } from '../command.ts'

// Prints random comments, to be read by an engineer who does not know the code. The same seed draws the same comments from the
// same files.

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

const options = command('comments', 'Prints comments drawn at random.')
  .option('--seed <number>', 'chooses the comments', whole, 1)
  .option('--count <number>', 'how many comments are printed', whole, 30)
  .parse()
  .opts<{ seed: number; count: number }>()

const files = globSync(`{${roots.join(',')}}/**/*.{ts,tsx,sol}`, { exclude: name => name.includes('node_modules') }).toSorted()
for (const { file, line, text } of draw(files.flatMap(commentsOf), options))
  print(`${file}:${line}\n  ${text.replaceAll('\n', '\n  ')}\n`)
