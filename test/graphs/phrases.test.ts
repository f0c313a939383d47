import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { readConsent } from '../../src/domain/consent/readConsent.ts'
import { isSpoken, optional, sayIn } from '../../src/domain/phrases/sayIn.ts'
import { english } from '../../src/domain/phrases/tables/english.ts'
import { tables } from '../../src/domain/phrases/tables.ts'
import { toProposalText } from '../../src/domain/runs/proposalText.ts'
import { proposal } from './states.ts'

const languages = Object.keys(tables).filter(isSpoken)
const slotsOf = (template: string) => [...template.matchAll(/\{([a-z]+)(\d?)\}/g)].map(it => [it[1] ?? '', it[0]] as const)

test('nine languages beside English have every sentence', () =>
  expect(languages.sort()).toEqual(['de', 'es', 'fr', 'it', 'ja', 'pt', 'ru', 'tr', 'zh']))

test.each(Object.keys(tables))('in %s no sentence loses a figure or a name, or brings one in', language => {
  const table: Record<string, string> = tables[language] ?? {}
  const wrong = Object.entries(english).filter(([key, template]) => {
    if (table[key] === undefined) return false
    const said = new Map(slotsOf(table[key]).map(([name, whole]) => [whole, name]))
    const own = new Map(slotsOf(template).map(([name, whole]) => [whole, name]))
    const lost = [...own].filter(([whole, name]) => !said.has(whole) && !optional.has(name))
    return lost.length > 0 || [...said.keys()].some(it => !own.has(it))
  })
  expect(wrong.map(([key]) => key)).toEqual([])
})

test.each(Object.keys(tables))('in %s a refusal is said in that language', language => {
  const nothing = 'Nothing in the market fits: No offering does what you ask for. Say it in other words, and I search again.'
  for (const text of [`${nothing} ${english.unpaid}`, `${english.declined} ${english.somethingElse}`])
    expect(sayIn(text, language)).toMatchObject({ isWhole: true, text: expect.not.stringMatching(/ (?:the|and|or|for) /) })
})

test.each(languages)('in %s the words that its sentences name for a yes and a no agree and decline', language => {
  const quoted = /[„“«「]\s?([^”“»」{}]+?)\s?[”“»」]/gu
  for (const key of ['terms', 'sayYes', 'openUntil', 'stillOpen', 'inSoManyWords'] as const) {
    const [yes = '', no = ''] = [...(tables[language]?.[key] ?? '').replace(/[“„][{]name[}]”/u, '').matchAll(quoted)].map(
      it => it[1] ?? '',
    )
    expect([key, readConsent(yes), readConsent(no)]).toEqual([key, 'yes', 'no'])
  }
  expect(readConsent([...(tables[language]?.agentNeeds ?? '').matchAll(quoted)].at(-1)?.[1] ?? '')).toBe('no')
})

/** All of our own source that writes sentences. */
const sources = async () => {
  const read = async (folder: URL): Promise<string[]> => {
    const entries = await readdir(folder, { withFileTypes: true })
    const texts = entries.map(it => {
      const at = new URL(`${it.name}${it.isDirectory() ? '/' : ''}`, folder)
      return it.isDirectory()
        ? it.name === 'phrases'
          ? []
          : read(at)
        : it.name.endsWith('.ts')
          ? readFile(at, 'utf8').then(s => [s])
          : []
    })
    return (await Promise.all(texts)).flat()
  }
  const all = await Promise.all(
    ['graphs/', 'src/domain/', 'src/operations/', 'src/language/'].map(it => read(new URL(`../../${it}`, import.meta.url))),
  )
  return all
    .flat()
    .join('\n')
    .replace(/['`]\s*\+\s*['`]/g, '')
    .replace(/\\n/g, '\n')
}

/** Sentences that only the tables have. */
const ownKeys = new Set(['onlyEnglish', 'terms', 'sayCancel', 'sayRefund', 'sayAppeal'])

test('code still writes each English sentence of the table', async () => {
  const code = await sources()
  const gone = Object.entries(english).filter(([key, template]) => {
    const pieces = template.split(/\{[a-z]+\d?\}|(?<=[.!?]) |[;,(“]|(?<=.) {2,}(?=.)/).map(it => it.trim())
    const told = pieces.filter(it => it.length >= 8)
    return !ownKeys.has(key) && !(told.length > 0 ? told : pieces).some(it => code.includes(it))
  })
  expect(gone.map(([key]) => key)).toEqual([])
})

test.each([
  {},
  { seen: 'online now' },
  { seen: 'last seen 5 minutes ago' },
  { seen: 'has never connected', made: ['city'], left_out: ['by train'] },
  {
    mandate: { mandate_id: 'm-1', covers: true, left: '1', max_per_period: '5', period: 'week' as const, why: 'it covers this' },
  },
  { judgedBy: ['a text that is not empty', 'has poem'], youGet: [] },
])('every label of a proposal is said in each language: %j', more => {
  const text = toProposalText({ ...proposal, reason: 'It fits your words best.', ...more })
  const labels = /I propose|You (?:pay|get)|It gets|When |Judged|Why |Terms|Say yes|Left out|I made|connected|the agent/
  for (const language of languages) expect(sayIn(text, language).text.replaceAll('{}', '')).not.toMatch(labels)
})

describe('a text is said sentence by sentence', () => {
  test('names, figures and a stranger’s words stand as they were', () => {
    const text =
      '2. “Nothing was paid. Local time” by Clock (city-clock): 0.05 USDC, up to 2 hours (120 minutes), last seen 5 minutes ago. Tells the time.'
    expect(sayIn(text, 'de')).toEqual({
      text: '2. “Nothing was paid. Local time” von Clock (city-clock): 0.05 USDC, bis zu 2 Stunden (120 Minuten), zuletzt vor 5 min gesehen. Tells the time.',
      isWhole: false,
    })
  })
  test('a deliverable is never said in other words', () => {
    const text =
      'scribe delivered:\nNothing was paid.\nIt passed its checks.\nIt cost nothing.\nIt passed its checks. It cost nothing.'
    expect(sayIn(text, 'es').text).toBe(
      'scribe entregó:\nNothing was paid.\nIt passed its checks.\nIt cost nothing.\nPasó las comprobaciones. No costó nada.',
    )
  })
  test('what no table has stays English, and is told', () => {
    expect(sayIn('Nothing was paid. Flying pigs.', 'fr')).toEqual({ text: 'Rien n’a été payé. Flying pigs.', isWhole: false })
    expect(sayIn('Nothing was paid.', 'sv')).toEqual({ text: 'Nothing was paid.', isWhole: false })
    expect(sayIn('Nothing was paid.', '')).toEqual({ text: 'Nothing was paid.', isWhole: true })
  })
})
