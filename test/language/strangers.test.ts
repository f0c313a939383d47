import { expect, test } from 'vitest'
import { readByForm } from '../../graphs/butler/byForm.ts'
import { asksForOthers } from '../../graphs/butler/turns/beside.ts'
import type { JsonObject } from '../../src/domain/json.ts'
import { choose } from '../../src/language/choice/choose.ts'
import { fillSaid } from '../../src/language/filling/fillSaid.ts'
import { onlyTells, readTasks } from '../../src/language/tasks/readTasks.ts'
import { readMarketQuestion } from '../../src/language/text/marketQuestion.ts'

// Sellers and sentences of no other test: what they have in common with others is the form of their values.

/** Monday, 23 November 2026, noon UTC. */
const now = Date.UTC(2026, 10, 23, 12)
const form = (required: string[], properties: JsonObject): JsonObject => ({ type: 'object', required, properties })
const text = (description: string, more: JsonObject = {}): JsonObject => ({ type: 'string', description, ...more })
const fill = (listing: string, requirement: JsonObject, said: string[]) => fillSaid({ said, requirement, listing, now })

const hut = form(['hut', 'level', 'land'], {
  hut: { type: 'string', enum: ['plain', 'lakeside', 'hilltop'] },
  level: { type: 'string', enum: ['easy', 'medium', 'hard'] },
  land: { type: 'string', enum: ['AT', 'CH', 'IT'], description: 'Country of the hut' },
  floor: { type: 'integer', description: 'Floor of the room' },
  month: text('Month of the stay', { pattern: '^[0-9]{4}-[0-9]{2}$' }),
  without: { type: 'array', items: { type: 'string' }, description: 'Foods you do not want' },
})

test.each<[string[], JsonObject]>([
  [
    ['a lake side hut in Austria, hard, second floor, in August next year, no cheese please'],
    { hut: 'lakeside', level: 'hard', land: 'AT', floor: 2, month: '2027-08', without: ['cheese'] },
  ],
  [['a hilltop hut in Austria, hard', 'a bit easier'], { hut: 'hilltop', level: 'medium', land: 'AT' }],
  [
    ['a hilltop hut in Austria, hard, without onions', 'and no ham either'],
    { hut: 'hilltop', level: 'hard', land: 'AT', without: ['onions', 'ham'] },
  ],
  [['is there a plain hut with a view on it? medium'], { hut: 'plain', level: 'medium' }],
])('ordinals, months, countries, degrees and exclusions are read by their form: %s', (said, values) => {
  expect(fill('Mountain huts\nA bed in a hut', hut, said)).toEqual(values)
})

const duty = form(['land', 'sum'], {
  land: text('Where the goods go', { enum: ['Austria', 'Norway', 'Portugal'] }),
  sum: { type: 'number', description: 'Value of the goods' },
})

test.each([
  ['Norwegian duty on 300', { land: 'Norway', sum: 300 }],
  ['the Austrian duty for goods of 1200', { land: 'Austria', sum: 1200 }],
  ['Portuguese duty on 80', { land: 'Portugal', sum: 80 }],
])('a country that may be chosen is known by its people: %s', (said, values) => {
  expect(fill('Duty\nWhat duty goods cost', duty, [said])).toEqual(values)
})

const herbs = form(['herbs'], { herbs: { type: 'array', items: { type: 'string' }, minItems: 4, description: 'What goes in' } })

test('items of a list that were said in several answers become one list', () => {
  const said = ['mix me a tea', 'mint, sage and fennel', 'and thyme']
  expect(fill('Herb mixer\nA tea of your own', herbs, said)).toEqual({ herbs: ['mint', 'sage', 'fennel', 'thyme'] })
})

const cake = form(['guest', 'address', 'on'], {
  guest: text('Name of the person who receives it'),
  address: text('Street, number and town'),
  on: text('Day of delivery', { format: 'date' }),
  icing: text('Words on the cake', { maxLength: 60 }),
})

test.each<[string[], JsonObject]>([
  [
    ['a cake on Friday for: Rosa Field, 8 Mill Street, Ely. Thank you.', "the icing should say 'Well done Rosa'"],
    { guest: 'Rosa Field', address: '8 Mill Street, Ely', on: '2026-11-27', icing: 'Well done Rosa' },
  ],
  [
    ['a cake for my aunt', 'Rosa Field, 8 Mill Street, Ely CB7 4AA', 'on Sunday'],
    { guest: 'Rosa Field', address: '8 Mill Street, Ely CB7 4AA', on: '2026-11-29' },
  ],
])('a name and an address in one line fill their fields, and a change touches no other: %s', (said, values) => {
  expect(fill('Cakes by bike\nA baker brings a cake to the door', cake, said)).toEqual(values)
})

const chassis = form(['chassis'], { chassis: text('Number on the frame', { pattern: '^[A-Z]{3}[0-9]{6}$' }) })
const listings = [
  { name: 'Frame register', description: 'Says whether a bicycle was stolen.', requirement: chassis },
  {
    name: 'Sonnet',
    description: 'Fourteen lines for an occasion.',
    requirement: form(['topic'], { topic: text('What it is about') }),
  },
].map(it => ({ ...it, price: '1', slaMinutes: 5, coverage: 0, score: 0.05 }))

test.each([
  ['KLM204418', 'propose'],
  ['anything known about KLM204418?', 'propose'],
  ['walk my dog at 17:30', 'none'],
  ['anything known about KLM20?', 'none'],
])('a value whose form only one offering takes finds that offering: %s', (task, decision) => {
  const found = choose({ task, listings })
  expect(found.decision).toBe(decision)
  expect(found.picks).toEqual(decision === 'propose' ? [0] : [])
})

test.each([
  ['what is the cheapest thing here?', 'cheapest'],
  ['and the most expensive?', 'dearest'],
  ['which agents are online right now', 'online'],
  ['who is the fastest here?', 'quickest'],
  ['how many sellers do you have', 'count'],
  ['what is the cheapest train to Ulm?', undefined],
  ['how many days are there in May', undefined],
  ['is it available?', undefined],
])('a question is about the whole market only when it names no trade: %s', (said, question) => {
  expect(readMarketQuestion(said)).toBe(question)
})

test.each([
  ['is there also somebody who carves it by hand?', true],
  ['ok. are there others who tune pianos?', true],
  ['anybody cheaper?', true],
  ['is there a guarantee?', false],
  ['can you do it by Friday?', false],
  ['does the other shoe fit?', false],
])('a question whether somebody else does the work is told from one about the proposal: %s', (said, is) => {
  expect(asksForOthers(said)).toBe(is)
})

const situation = { stage: 'proposal', hasJob: false, hasEnded: false } as const
test.each([
  ['40 dollars?? No thanks.', 'no'],
  ['Is it Tuesday? No.', undefined],
  ['Too much. No.', 'no'],
  ['9 usdc?? nah, too expensive', 'no'],
  ['No, because I said Hamburg.', undefined],
  ['I want the blue one. No.', undefined],
  ['No thanks needed. Go on?', undefined],
  ['nah leave it, my cousin has a trailer', 'no'],
  ['Nine euros for a bench? Then rather not, our caretaker will do it.', 'no'],
  ['no thanks, I want a bigger one', undefined],
  ['leave it, 4 is fine', undefined],
  ['deliver it tomorrow, not today, my brother is out', undefined],
  ['I meant the green one, not this', undefined],
  ['use the oak, that is all', undefined],
  ['go ahead, no need, I know the price', undefined],
])('a last sentence that refuses in so many words refuses the proposal: %s', (said, act) => {
  expect(readByForm(said, { situation, terms: undefined, by: 'rules', isTextAsked: false })?.act).toBe(act)
})

test.each([
  ['so did I lose my money now?', 'spending'],
  ['have I already paid for this?', 'spending'],
  ['did you buy something now??', 'spending'],
  ['did you lose your keys?', undefined],
  ['Have you paid the bill?', undefined],
  ['Am I lost?', undefined],
  ['I lost my money at the fair.', undefined],
])('a question about one’s own money is no text to work on: %s', (said, act) => {
  const asked = { ...situation, stage: 'ask' as const }
  expect(readByForm(said, { situation: asked, terms: undefined, by: 'rules', isTextAsked: true })?.act).toBe(act)
})

test('a sentence that states something is no second task', () => {
  expect(readTasks('varnish my boat, it is 6 metres long and the deck is 2 metres wide')).toHaveLength(1)
  expect(readTasks('Two things: a sonnet about frost, and find me a tuner in Ulm')).toHaveLength(2)
})

test.each([
  ['Sounds good, but let me ask Maria first', 'about'],
  ['Perfect, but my boss has to agree first', 'about'],
  ['great. not yet though', 'about'],
  ['fine, ask her first', 'about'],
  ['wait, make it Oslo', undefined],
  ['let me have it then', undefined],
])('a reply that puts the answer off changes no terms and hires nobody: %s', (said, act) => {
  expect(readByForm(said, { situation, terms: undefined, by: 'rules', isTextAsked: false })?.act).toBe(act)
})

test('an amount of time is no task of its own', () => {
  expect([onlyTells('one hour'), onlyTells('half an hour'), onlyTells('a haiku')]).toEqual([true, true, false])
})
