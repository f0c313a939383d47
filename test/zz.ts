import { readFileSync } from 'node:fs'
import { fillRequest } from '../src/llm/filling/fillRequest.ts'

let bad = 0
for (const l of readFileSync('test/material/requests.jsonl', 'utf8').split('\n').filter(Boolean)) {
  const r = JSON.parse(l)
  const wanted = r.fields ?? { [r.field]: r.material }
  const requirement = {
    type: 'object',
    required: [...Object.keys(wanted), ...(r.more?.language ? ['language'] : [])],
    properties: {
      ...Object.fromEntries(Object.keys(wanted).map(k => [k, { type: 'string', description: r.description || `The ${k}` }])),
      ...r.more,
    },
  }
  const { values } = fillRequest({
    text: r.say.trim(),
    requirement,
    now: Date.now(),
    listing: 'Some work\nDoes some work with what you give.',
  })
  for (const [k, v] of Object.entries(wanted))
    if (values[k] !== v) {
      bad++
      console.log(
        '✗',
        k,
        JSON.stringify(r.say).slice(0, 120),
        '\n   got',
        JSON.stringify(values[k]),
        '\n   exp',
        JSON.stringify(v),
      )
    }
}
console.log(bad)
