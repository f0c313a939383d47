import { demoAgents } from '../src/kit/demo/agents.ts'
import { fillSaid } from '../src/llm/filling/fillSaid.ts'
import { findLeftOut } from '../src/llm/filling/leftOut.ts'

const now = Date.now()
const all = Object.entries(demoAgents).map(([h, make]: any) => {
  const a = make({ platformUrl: 'http://127.0.0.1:1', credential: { privateKey: '0x' + '1'.repeat(64) } })
  return [h, a]
})

import { readFileSync } from 'node:fs'

const of = (name: string, description: string, props: any, required: string[]) => ({
  name,
  description,
  requirement: { type: 'object', required, properties: props },
})
const s = (d: string, m: any = {}) => ({ type: 'string', description: d, ...m })
const qr = of(
  'QR code',
  'Makes a QR code of a link or text as a picture.',
  { text: s('What it says'), size: { type: 'integer', description: 'Width in pixels' } },
  ['text'],
)
const clock = of('Local time in a city', 'Tells the current local time, date, time zone.', { city: s('A city') }, ['city'])
const logo = of('Logo', 'Designs a logo for a brand as SVG.', { brand_name: s('The brand') }, ['brand_name'])
const page = of('Printable page', 'Makes notes (Markdown) into a page to print.', { markdown: s('The notes') }, ['markdown'])
const t = (said: string[], o: any) => {
  const listing = o.name + '\n' + o.description
  const values = fillSaid({ said, requirement: o.requirement, now, listing })
  console.log(
    JSON.stringify(said).slice(0, 140),
    '\n  ',
    JSON.stringify(values),
    '\n   LEFT',
    JSON.stringify(findLeftOut({ said, values, requirement: o.requirement, listing, now })),
  )
}
t(['Make a QR code of https://example.org with a blue background please'], qr)
t(['Make a QR code of https://example.org, 800 pixels wide, blue background, no border'], qr)
t(['I need a red QR code for https://example.org'], qr)
t(['What time is it in Tokyo?'], clock)
t(['Hello! Could you please tell me what the clock says in Tokyo right now? Thanks a lot!'], clock)
t(['What time is it in Tokyo and in London?'], clock)
t(['What time is it in Tokyo, I want to call my aunt at 5'], clock)
t(['time in Oslo', 'make it Lima, and in 12-hour format'], clock)
t(['time in Oslo', '{"city":"Lima"}'], clock)
t(['A logo for Tern & Tide in navy blue and gold, three variants, for a surf shop'], logo)
t(['A blue logo for Tern'], logo)
t(['Make a printable page of these notes:\n# Hi\n- there\n\nPlease in A5 and with big letters, thanks'], page)
t(['Make a printable page of these notes, A5, large print:\n# Hi\n- there'], page)
t(['Make two printable pages of this:\n```\n# Hi\n```\nfont Arial, 14 pt'], page)
