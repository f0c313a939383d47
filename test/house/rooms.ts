import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

// Refuses import cycles between siblings (folders or files of one folder), at every level and across several siblings. `npm run
// check` runs it, and refuses more floors than a folder may have. With --figures it prints the imports and floors per folder.

const roots = ['src', 'graphs', 'prompts']
/** Files at the top of src may import everything below, but nothing below may import them. */
const files = globSync(`{${roots.join(',')}}/**/*.{ts,tsx}`)

type Edge = { level: string; from: string; to: string; proof: string }

/** Converts an import to an edge between two siblings, at the level where the two paths diverge. */
const toEdge = (file: string, specifier: string): Edge | undefined => {
  const [from, to] = [file.split('/'), join(dirname(file), specifier).split('/')]
  const depth = from.findIndex((part, at) => part !== to[at])
  if (depth < 1) return undefined
  const until = (path: string[]) => path.slice(0, depth + 1).join('/')
  return { level: from.slice(0, depth).join('/'), from: until(from), to: until(to), proof: `${file} imports ${specifier}` }
}

const edges = files.flatMap(file =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import) '(\.[^']+)'/g)].flatMap(match => toEdge(file, match[1] ?? '') ?? []),
)

const next = Map.groupBy(edges, it => it.from)

/** A path from a sibling back to itself, as its imports; undefined when there is none. */
const findCycle = (start: string): Edge[] | undefined => {
  const seen = new Set<string>()
  const walk = (at: string, path: Edge[]): Edge[] | undefined => {
    for (const edge of next.get(at) ?? []) {
      if (edge.to === start) return [...path, edge]
      if (seen.has(edge.to)) continue
      seen.add(edge.to)
      const cycle = walk(edge.to, [...path, edge])
      if (cycle) return cycle
    }
    return undefined
  }
  return walk(start, [])
}

const cycles = [...next.keys()].flatMap(start => {
  const cycle = findCycle(start)
  return cycle ? [cycle] : []
})
const unique = new Map(cycles.map(it => [[...it.map(edge => edge.from)].sort().join(' '), it]))

for (const cycle of unique.values())
  process.stdout.write(
    `These import each other: ${cycle.map(it => it.from).join(' → ')}\n${cycle.map(it => `  ${it.proof}\n`).join('')}`,
  )

/** The most folders that may lie in one chain of imports inside a folder. A reader must know all below to change the top. */
const mostFloors: Record<string, number> = { 'src/language': 6 }

const floors = new Map<string, number>()
/** The longest chain of imports that starts at a folder or file, in siblings. Without end where siblings import each other. */
const floorsFrom = (start: string): number => {
  const known = floors.get(start)
  if (known !== undefined) return known
  const below = new Set((next.get(start) ?? []).map(it => it.to))
  const count = 1 + Math.max(0, ...[...below].map(floorsFrom))
  floors.set(start, count)
  return count
}
const floorsIn = (folder: string): number =>
  Math.max(1, ...edges.filter(it => it.level === folder).map(it => floorsFrom(it.from)))

const tall = unique.size > 0 ? [] : Object.entries(mostFloors).filter(([folder, most]) => floorsIn(folder) > most)
for (const [folder, most] of tall)
  process.stdout.write(`${folder} has ${floorsIn(folder)} floors of folders, and at most ${most} are allowed.\n`)

if (process.argv.includes('--figures'))
  for (const [level, all] of Map.groupBy(edges, it => it.level))
    process.stdout.write(
      `${level}: ${new Set(all.map(it => `${it.from} ${it.to}`)).size} arrows, ${unique.size > 0 ? 'no' : floorsIn(level)} floors\n`,
    )

process.exitCode = unique.size + tall.length > 0 ? 1 : 0
