import { expect, test } from 'vitest'
import { findUnsaid } from '../../../src/language/tasks/unsaid.ts'

const skills = 'Interviewers\nLists interviewers for a skill, such as Python or Java'

test('what is listed beside a value that was taken is named, also where the offering knows the word', () => {
  const of = { taken: ['Python'], named: '', own: skills }
  expect(findUnsaid({ ...of, message: 'interviewers list for Python and Java' })).toEqual(['Java'])
  expect(findUnsaid({ ...of, message: 'interviewers list for Python, Java' })).toEqual([])
  const rooms = { taken: ['loft'], named: '', own: 'Broom\nSweeps a loft, a barn or a shed' }
  expect(findUnsaid({ ...rooms, message: 'sweep the loft, the barn and the shed' })).toEqual(['the barn', 'the shed'])
})

test('a part of a message of which nothing was taken is named by its names, quotations and numbers', () => {
  const of = { taken: ['Magnus Carlsen'], named: '', own: 'Chess\nTells the rating of a player' }
  const message = 'Tell me the rating of Magnus Carlsen. I also wonder when the Battle of Gettysburg took place.'
  expect(findUnsaid({ ...of, message })).toEqual(['I also wonder when the Battle of Gettysburg took place.'])
  expect(findUnsaid({ ...of, message: 'Tell me the rating of Magnus Carlsen.' })).toEqual([])
})

test('limits, and values that stand in an input in another form, are named by none', () => {
  const of = { taken: ['fr', '0.07', '5000'], named: '', own: 'Translate\nTranslates a note about a rate and an amount' }
  const message = 'Translate the note into French. The rate is 7%. The amount is 5,000. At most 2 USDC in total. Within 3 hours.'
  expect(findUnsaid({ ...of, message })).toEqual([])
})

test.each([
  ['Tell me the tide at Hull, and mend the torn sail.', ['mend the torn sail.']],
  ['Tell me the tide at Hull. Then translate it.', ['translate it.']],
  ['Tell me the tide at Hull, 14 oak planks at Brest, thanks', ['14 oak planks at Brest']],
  ['Tell me the tide at Hull, and at Brest', ['at Brest']],
  ['Hello! Tell me the tide at Hull. Many thanks for it.', []],
])('each clause and each value of a message stands in its answer, or is named: %s', (message, lost) => {
  const of = { taken: ['Hull'], named: '', own: 'Tide\nTells the tide of a harbour' }
  expect(findUnsaid({ ...of, message })).toEqual(lost)
})
