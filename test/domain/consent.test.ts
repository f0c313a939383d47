import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canBeYes, readConsent, toConsentWords } from '../../src/domain/consent.ts'
import { cpuMs } from '../cpu.ts'

const answers = {
  yes: [
    ...['yes', 'Yes', 'YES!', 'y', 'yep', 'yeah', 'yup', 'sure', 'ok', 'Okay.', 'confirm', 'confirmed', 'approve', 'approved'],
    ...['agree', 'agreed', 'accept', 'accepted', 'go', 'go ahead', 'do it', 'hire', 'hire it', 'hire them', 'please do', 'deal'],
    ...[
      'sounds good',
      'yes please',
      'yes, please',
      'please, yes',
      'yes, go ahead',
      'yes. do it!',
      'Yes, hire them now',
      'ok then',
    ],
    ...['yes thanks', 'yes, thank you', 'ok, do it, please', 'great, go ahead', "yes, that's fine", 'yes, that’s fine'],
    ...['yes yes yes', '  yes  ', 'yes\n', 'yes;', 'sure, do it now', 'fine, confirm', 'ok perfect'],
  ],
  no: [
    ...[
      'no',
      'No.',
      'n',
      'nope',
      'nah',
      'cancel',
      'cancel it',
      'stop',
      'Stop it!',
      'decline',
      'reject',
      'never mind',
      'nevermind',
    ],
    ...['forget it', "don't", 'don’t', 'dont', 'do not', 'no thanks', 'no, thank you', 'not now', 'no, cancel', 'no no no'],
    ...['please stop', "no, don't", "don't do it", "don't hire them", 'do not hire it, please', 'no, never mind', 'please, no'],
  ],
  change: [
    // Empty messages, and messages that are not an answer.
    ...[
      '',
      ' ',
      '...',
      '!!!',
      '👍',
      'please',
      'thanks',
      'fine',
      'great',
      'now',
      'hm',
      'maybe',
      'later',
      '1',
      'why',
      'what',
      'hello',
    ],
    // Conditional answers.
    ...[
      'yes but cheaper',
      'yes, but in French',
      'yes if it is under 1 USDC',
      'ok but not that one',
      'yes for 0.01',
      'yes, twice',
    ],
    ...['sure, as soon as my boss agrees', 'accept 3 USDC', 'go ahead with the other one', 'hire the other', 'yes and no'],
    // A yes and a no in one message.
    ...['yes no', 'no yes', 'ok cancel', 'yes, cancel', 'cancel, go ahead', 'no, go ahead', 'confirm cancel', 'stop, do it'],
    ...['go ahead and cancel', 'no problem, go ahead', 'no problem', 'no worries', 'yes, no problem', 'accept, no, reject'],
    // Words that reverse the meaning.
    ...['not yet', 'not ok', 'not sure', "I don't agree", "don't stop", "don't cancel", 'do not reject', "no, don't stop"],
    ...['no hurry', 'no way', 'no fine', "no, that's fine", 'never', 'never say no', 'unsure', 'okayish', 'yesterday', 'nobody'],
    // Doubt, farewells and quotations.
    ...['yes?', 'ok?', 'go ahead?', 'yes...', 'yes…', 'no?', 'sure, why not', 'ok thanks', 'great, thanks', 'deal or no deal'],
    ...['I said yes', '"yes"', 'he said yes', 'say yes', 'yes is what you want to hear', 'type yes to hire', 'oui', 'ja', 'да'],
    // Look-alike letters and invisible characters.
    ...['yеs', 'ｙｅｓ', 'yes\u200b', 'y e s', 'ye s', 'yes/no', 'yes-no', 'yes\u202eon', '<yes>', 'yes\u0000'],
  ],
} as const

describe.each(['yes', 'no', 'change'] as const)('%s', meant => {
  test.each(answers[meant].map(said => [said]))('"%s"', said => expect(readConsent(said)).toBe(meant))
})

test('no phrase is in two lists, and the lists have a minimum size', () => {
  const all = Object.values(answers).flat()
  expect(new Set(all).size).toBe(all.length)
  expect(all.length).toBeGreaterThan(150)
})

const words = 'yes no ok not dont cancel go ahead do it please thanks fine hire them but if cheaper now then stop the to'.split(
  ' ',
)

test('a message with a refusal, a condition or a number is never a yes', () => {
  const poison = fc.constantFrom('no', 'not', "don't", 'cancel', 'stop', 'but', 'if', 'cheaper', '5', 'other', 'wait', 'never')
  const around = fc.array(fc.constantFrom(...words), { maxLength: 4 })
  fc.assert(
    fc.property(around, poison, around, (before, word, after) => {
      expect(readConsent([...before, word, ...after].join(' '))).not.toBe('yes')
    }),
    { numRuns: 500 },
  )
})

test('a message that agrees without a negation is never a no', () => {
  const around = fc.array(fc.constantFrom(...words.filter(it => it !== 'dont' && it !== 'do')), { maxLength: 4 })
  fc.assert(
    fc.property(around, fc.constantFrom('yes', 'ok', 'sure', 'go ahead', 'confirm', 'deal'), around, (before, word, after) => {
      expect(readConsent([...before, word, ...after].join(' '))).not.toBe('no')
    }),
    { numRuns: 500 },
  )
})

test('any text, even the longest, is classified at once as one of the three meanings', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), text => Object.keys(answers).includes(readConsent(text))))
  for (const word of [...words, 'no thanks', 'go ', '. ', "don't ", 'yes yes no thanks please ']) {
    const longest = `${`${word} `.repeat(32_768 / word.length)}x`
    expect(cpuMs(() => expect(readConsent(longest)).toBe('change'))).toBeLessThan(250)
  }
})

const known = new Set(
  toConsentWords('yes ok sure go ahead do it make it so happen take it with that please hire them fine then book for me and'),
)
test.each([
  'make it playful',
  'yes, and make it free',
  'go with green',
  'make that thirty',
  'yes for two',
  'yes do it tomorrow',
  'ok, with blue',
])('a message with a value of its own is not a yes: %s', message => {
  expect(canBeYes(message, { known, proposed: '' })).toBe(false)
})

test.each([
  'yes ducking do it',
  'make it so',
  'yes, make it happen',
  'ok then, take it',
  'go with Ghostline please',
  'yes, 40 then please',
])('a plain yes counts with an unknown word or the name of the proposal in it: %s', message => {
  expect(canBeYes(message, { known, proposed: 'Ghostline blog post 0.4' })).toBe(true)
})

test.each([
  'is yes what you want',
  'ok so is it yes then',
  'should I hire it',
  'can I go ahead',
  'she says yes',
  'they said yes',
  'say yes for me',
  'I accept nothing',
  'yes would be wrong',
])('a message that asks for, reports or denies a yes is not a yes: %s', message => {
  const words = new Set([...known, ...'is what you want so it then should can i she they me accept would be'.split(' ')])
  expect(canBeYes(message, { known: words, proposed: '' })).toBe(false)
})
