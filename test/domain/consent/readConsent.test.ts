import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { termsIn } from '../../../src/domain/consent/deedTexts.ts'
import { beginsLike, isConditional, readConsent } from '../../../src/domain/consent/readConsent.ts'
import { readPhrases, withOwn } from '../../conversations/consent/phrases.ts'
import { cpuMs } from '../../cpu.ts'

const digest = '1a2b3c4d5e6f708192a3b4c5d6e7f809'
const offer = { names: ['City Clock', 'city-clock', 'Local time'], total: '0.05', digest }
const own = { agent: 'City Clock', handle: 'city-clock', offering: 'Local time', price: '0.05', digest: digest.slice(0, 8) }

const folder = new URL('../../conversations/consent/', import.meta.url)
const [noYes, yes] = await Promise.all(['no-yes.txt', 'yes.txt'].map(it => readPhrases(new URL(it, folder))))
const sayOf = (of = noYes) => (of ?? []).map(it => withOwn(it.say, own))
const read = (said: string) => readConsent(said, offer)

test('no idiom of delay, courtesy, question, condition, refusal, report, quotation, irony or half sentence is a yes', () => {
  expect(sayOf(noYes).length).toBeGreaterThan(500)
  expect(sayOf(noYes).filter(it => read(it) === 'yes')).toEqual([])
})

test('of a hundred plain agreements in ten languages at most three are no yes', () => {
  const lost = sayOf(yes).filter(it => read(it) !== 'yes')
  expect(sayOf(yes).length).toBeGreaterThan(200)
  expect({ lost, isFew: lost.length <= sayOf(yes).length * 0.03 }).toMatchObject({ isFew: true })
})

test('one word that is in no table makes any agreement something else, wherever it stands', () => {
  const place = fc.record({ said: fc.constantFrom(...sayOf(yes)), at: fc.double({ min: 0, max: 1, noNaN: true }) })
  const strange = fc.constantFrom(
    'zebra',
    'Oslo',
    'two',
    '7',
    'nicht',
    'pas',
    'если',
    '不',
    'でも',
    'però',
    'değil',
    'tomorrow',
    'blue',
  )
  fc.assert(
    fc.property(place, strange, ({ said, at }, word) => {
      const words = said.split(' ')
      words.splice(Math.round(at * words.length), 0, word)
      expect(read(words.join(' '))).not.toBe('yes')
    }),
    { numRuns: 2_000 },
  )
})

const words = 'yes no ok not dont cancel go ahead do it please thanks fine hire them but if cheaper now then stop the to'.split(
  ' ',
)
const around = fc.array(fc.constantFrom(...words), { maxLength: 4 })

test('a message with a refusal, a condition or a number is never a yes', () => {
  const poison = fc.constantFrom('no', 'not', "don't", 'cancel', 'stop', 'but', 'if', 'cheaper', '5', 'other', 'wait', 'never')
  fc.assert(
    fc.property(around, poison, around, (before, word, after) => {
      expect(read([...before, word, ...after].join(' '))).not.toBe('yes')
    }),
    { numRuns: 500 },
  )
})

test('any text, even the longest, is read at once', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => ['yes', 'no', 'cancel', 'unclear', undefined].includes(read(text))),
  )
  for (const word of [...words, 'no thanks', 'go ', '. ', "don't ", 'yes yes no thanks please ', 'は', '好']) {
    const longest = `${`${word} `.repeat(32_768 / word.length)}x`
    expect(cpuMs(() => expect(read(longest)).toBe(undefined))).toBeLessThan(1_000)
    expect(cpuMs(() => read(`${word} `.repeat(24)))).toBeLessThan(1_000)
  }
})

describe('the own words of the offer', () => {
  test.each([
    'hire City Clock',
    'yes, city-clock please',
    'yes for 0.05',
    'yes, $0.050',
    'ok for 5 cents',
    'deal at 0,05',
    `yes ${digest}`,
  ])('agree beside an agreement: %s', said => expect(read(said)).toBe('yes'))
  test.each([
    'hire Town Clock',
    'yes for 0.06',
    'yes for 5',
    'ok for 50 cents',
    'deal at 0,050,000',
    'yes 1a2b3c4e',
    `yes ${digest.slice(0, 12)}`,
  ])('agree to nothing else: %s', said => expect(read(said)).not.toBe('yes'))
  test.each(['City Clock', '0.05', '1a2b3c4d', 'thanks', 'ja ja', 'great', 'ok thanks'])('are no answer alone: %s', said =>
    expect(read(said)).toBe('unclear'),
  )
  test.each(['City Clock', 'yes for 0.05', 'yes 1a2b3c4d'])('mean nothing without the offer: %s', said =>
    expect(readConsent(said)).toBe(undefined),
  )
})

test('a seller cannot name an offering so that a refusal, a delay or a change of the buyer agrees to it', () => {
  const names = ['not now', 'something cheaper', 'Nobody', 'but only if it is free', 'tomorrow', 'the other one', '0.01', 'no']
  const hostile = { ...offer, names }
  const said = names.flatMap(it => [`hire ${it}`, `yes ${it}`, `ok ${it}`, `go with ${it}`, `yes to ${it}`])
  expect(said.filter(it => readConsent(it, hostile) === 'yes')).toEqual([])
  expect(readConsent('yes', hostile)).toBe('yes')
})

test.each([
  [
    'no',
    'no',
    'n',
    'N',
    'n.',
    'No.',
    'nope',
    'no thanks',
    'no, thank you',
    'never mind',
    'forget it',
    "don't",
    "don't hire them",
    '👎',
  ],
  ['no', 'nein danke', 'no, gracias', 'non merci', 'não, obrigado', 'no grazie', 'hayır', '不用了', 'いいえ', 'нет, спасибо'],
  [
    'cancel',
    'cancel',
    'cancel it',
    'stop!',
    'please stop',
    'abbrechen',
    'annuler',
    'cancelar',
    'annulla',
    'iptal',
    '取消',
    'キャンセル',
    'отмена',
  ],
])('a plain refusal is a %s in any of the languages', (meant, ...said) => {
  expect(said.filter(it => read(it) !== meant)).toEqual([])
})

test.each([
  'no?',
  "don't stop",
  'no cancele',
  "no, that's fine",
  'no problem',
  'no hurry',
  'yes no',
  'ok cancel',
  'no, go ahead',
])('a refusal with anything else in it is no plain refusal: %s', said => expect(['no', 'cancel']).not.toContain(read(said)))

test.each([
  'yes, but only if it is free',
  'ok if it takes a minute',
  'sure, as long as it is safe',
  'ja, aber nur wenn es nichts kostet',
])('an agreement with a condition is known as one: %s', said =>
  expect([isConditional(said, offer), read(said)]).toEqual([true, undefined]),
)

test.each(['yes, but in Oslo', 'make it blue', 'in Oslo if possible', 'the weather when it is sunny'])(
  'a change or a request is no agreement with a condition: %s',
  said => expect(isConditional(said, offer)).toBe(false),
)

test.each(['yеs', 'yes\u200b', 'y e s', 'yes/no', 'yes\u202eon', '<yes>', 'yes\u0000', '“yes”', "'yes'", '¿sí', 'yes,'])(
  'look-alike letters, hidden signs, quotation marks and open ends make no yes: %s',
  said => expect(read(said)).not.toBe('yes'),
)

const hotel = { names: ['Hotel search'], total: '0.01', digest }

test.each([
  ['yes, 1 cent', 'yes'],
  ['yes for 1c', 'yes'],
  ['yes for 2 cents', undefined],
  ['yes to the hotel', 'yes'],
  ['yes for the hotel', 'unclear'],
  ['yes and thanks', 'yes'],
  ['thanks and yes', 'yes'],
  ['thanks and cancel', 'cancel'],
  ['yes and', 'unclear'],
  ['no and', 'unclear'],
  ['well, yes', 'yes'],
  ['yes well', 'unclear'],
  ['ok find out', 'yes'],
  ['please find out', undefined],
  ['sure fine', 'yes'],
  ['ok sure fine', 'unclear'],
  ['ok only if', undefined],
])('each word of an answer has its place: “%s” is %s', (said, consent) => expect(readConsent(said, hotel)).toBe(consent))

test.each([
  ['go ahead once I am paid', 'agrees'],
  ['sure, the weather', 'agrees'],
  ['yes the weather in Rome', 'agrees'],
  ['hire him when it rains', 'agrees'],
  ['ok the weather in Rome', 'perhaps'],
  ['go to Rome', 'perhaps'],
  ['no, my trip was called off', 'perhaps'],
  ['the weather in Rome', undefined],
])('“%s” begins like an answer: %s', (said, like) => expect(beginsLike(said, hotel)).toBe(like))

test.each([
  ['only if it is free', true],
  ['yes, but only if it is free', true],
  ['if it is free', false],
  ['the weather if it rains', false],
])('“%s” is an agreement on a condition: %s', (said, isOne) => expect(isConditional(said, hotel)).toBe(isOne))

test('terms are introduced in the language of the user, in English where there is no table, and not again in English', () => {
  expect([termsIn(''), termsIn('en')]).toEqual([undefined, undefined])
  expect(termsIn('de')).toContain('„ja“')
  expect(termsIn('xx')).toContain('say “yes” to hire')
})
