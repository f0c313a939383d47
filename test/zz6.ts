import { readFileSync } from 'node:fs'
import { madeFields } from '../src/domain/said.ts'
import { fillSaid } from '../src/llm/filling/fillSaid.ts'
import { findLeftOut } from '../src/llm/filling/leftOut.ts'

const now = Date.now()
const m = Object.fromEntries(
  readFileSync('test/conversations/people/market.jsonl', 'utf8')
    .split('\n')
    .filter(Boolean)
    .map(l => JSON.parse(l))
    .map((a: any) => [a.handle, a]),
)
const conv = readFileSync('test/conversations/people/conversations.jsonl', 'utf8')
  .split('\n')
  .filter(Boolean)
  .map(l => JSON.parse(l))
for (const c of conv) {
  const t = c.turns[0]
  const h = t.expect.agents?.find((x: string) => m[x])
  if (!h || t.expect.outcome !== 'proposal') continue
  const a = m[h]
  const o = a.offering
  if (!o.requirement) continue
  const listing = `${o.name}\n${o.description}\n${a.name.toLowerCase()}`
  const values = fillSaid({ said: [t.say], requirement: o.requirement, now, listing })
  const out = findLeftOut({
    said: [t.say],
    values,
    requirement: o.requirement,
    listing: listing + '\n' + a.description + '\n' + (o.examples ?? []).join('\n'),
    now,
  })
  const made = madeFields(JSON.stringify(values), [t.say])
  console.log(
    c.id,
    '|',
    t.say.replace(/\n/g, '⏎').slice(0, 160),
    '\n   =>',
    JSON.stringify(values).slice(0, 140),
    '\n   LEFT',
    JSON.stringify(out),
    'MADE',
    JSON.stringify(made),
  )
}
