import { globSync, readFileSync } from 'node:fs'
import { parseAst } from 'rolldown/parseAst'
import { expect, test } from 'vitest'

const source = new URL('../../src/web/', import.meta.url).pathname

/** Names and units, which are the same in every language. The slip in other programs (`slip/`) speaks English. */
const same = new Set(['USDC', 'CSV', 'Agent marketplace', 'City Clock', 'US dollar coin'])

/** Attributes that a person reads or hears. */
const spoken = new Set(['aria-label', 'title', 'placeholder', 'alt', 'label'])

type Node = Record<string, unknown>
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** The texts that an expression between tags may be, as they are written: both of `isOpen ? 'open' : 'closed'`. */
const branches = ['expression', 'consequent', 'alternate', 'left', 'right']
const textsOf = (node: unknown): string[] =>
  isNode(node) && node.type !== 'BinaryExpression'
    ? [...(typeof node.value === 'string' ? [node.value] : []), ...branches.flatMap(it => textsOf(node[it]))]
    : []

/** The texts between tags and in spoken attributes that are written as they are shown. */
const writtenIn = (node: Node): string[] => {
  const { type, name, value, children } = node
  const inside = Object.values(node)
    .flat()
    .filter(isNode)
    .flatMap(it => writtenIn(it))
    .concat([children].flat().flatMap(it => (isNode(it) && it.type === 'JSXExpressionContainer' ? textsOf(it) : [])))
  if (type === 'JSXText') return [String(value)]
  const isSpoken = type === 'JSXAttribute' && isNode(name) && spoken.has(String(name.name))
  return isSpoken && isNode(value) && value.type === 'Literal' ? [String(value.value), ...inside] : inside
}

test('every text of the page comes from the table of its language', () => {
  const files = globSync('**/*.tsx', { cwd: source, exclude: ['slip/**'] })
  expect(files.length).toBeGreaterThan(100)
  const found = files.flatMap(file =>
    writtenIn({ program: parseAst(readFileSync(`${source}${file}`, 'utf8'), { lang: 'tsx' }) })
      .map(it => it.replace(/[^\p{L} ]/gu, '').trim())
      .filter(it => /\p{L}{2}/u.test(it) && !same.has(it))
      .map(it => `${file}: ${it}`),
  )
  expect(found).toEqual([])
})
