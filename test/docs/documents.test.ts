import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { routes } from '../assembled.ts'
import { fileOf, isWhole } from './walks.ts'

const root = join(import.meta.dirname, '../..')
const documents = [...globSync('*.md', { cwd: root }), ...globSync('{docs,.github}/**/*.md', { cwd: root })].sort()
const read = (file: string) => readFileSync(join(root, file), 'utf8')

const manifest = z
  .object({
    scripts: z.record(z.string(), z.string()),
    dependencies: z.record(z.string(), z.string()),
    peerDependencies: z.record(z.string(), z.string()),
  })
  .parse(JSON.parse(read('package.json')))

const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(match => match[1] ?? '')

test.each(documents)('every link of %s leads to a file', file => {
  const links = found(read(file), /\]\(([^)#\s]+)(?:#[^)]*)?\)/g).filter(it => !/^[a-z]+:/.test(it))
  expect(links.filter(it => !existsSync(join(root, dirname(file), it)))).toEqual([])
})

test.each(documents)('every npm script that %s names exists', file => {
  const names = found(read(file), /npm run (?:--silent )?([a-z][a-z:]*)/g)
  expect(names.filter(name => !(name in manifest.scripts))).toEqual([])
})

const present = documents.filter(it => it !== 'CHANGELOG.md' && isWhole(read(it)))

test.each(present)('every file of the project that %s names exists', file => {
  const paths = found(read(file), /(?<![\w/])((?:src|test|graphs|prompts|docs)\/[\w./-]*[\w/])(?![\w/]*<)/g)
  expect(paths.filter(it => !existsSync(join(root, it)))).toEqual([])
})

test.each(present)('every source file that %s names exists, also without its first folder', file => {
  const paths = found(read(file), /`([\w.-]+(?:\/[\w.-]+)*\.tsx?)`/g)
  expect(paths.filter(it => !fileOf(it) && !existsSync(join(root, dirname(file), it)))).toEqual([])
})

test('docs/architecture.md names every folder of src', () => {
  const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter(it => it.isDirectory())
  const text = read('docs/architecture.md')
  expect(folders.map(it => `src/${it.name}/`).filter(it => !text.includes(it))).toEqual([])
})

const toPattern = (path: string) => path.split('?')[0]?.replace(/\{[^}]+\}|:\w+|<[^>]+>/g, '*') ?? ''
const served = new Set(routes.map(({ method, path }) => `${method.toUpperCase()} ${toPattern(path)}`))
/** Routes of an agent's own server, and routes of the application that are not operations. */
const elsewhere =
  /^(?:GET \/(?:reference|openapi\.json|problems|mcp|a2a|\.well-known\/agent-card\.json)|POST \/(?:a2a|invoke\/stream|runs\/stream)|.*\/stream)$/

test.each(present)('every route that %s names is served', file => {
  const named = found(read(file), /\b((?:GET|POST|PUT|DELETE) \/[\w./{}?=&-]+)/g).map(it => {
    const [method = '', path = ''] = it.split(' ')
    return `${method} ${toPattern(path.replace(/[.,;]$/, ''))}`
  })
  expect(named.filter(it => !served.has(it) && !elsewhere.test(it))).toEqual([])
})

test('each run-time dependency has exactly one stated reason, and each reason a dependency', () => {
  const rows = found(read('docs/dependencies.md'), /^\| `([^`]+)` \| \S/gm)
  expect(rows.toSorted()).toEqual(Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).toSorted())
})

test('the README fits on one and a half screens', () => {
  // The drawing of the graph is shown as a picture.
  const words = read('README.md').replace(/<!-- graph -->.*<!-- \/graph -->/s, '')
  expect(words.split('\n').length).toBeLessThanOrEqual(80)
})
