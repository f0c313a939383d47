import { expect, test } from 'vitest'
import { toSearched } from '../../src/language/text/searched.ts'

const long = Array.from({ length: 400 }, (_, at) => `Set the password of server ${at} with a chart.`).join('\n')

test.each([
  ['after a colon', `Summarize this text: ${long}`],
  ['in a fence', `Summarize this text\n\`\`\`\n${long}\n\`\`\``],
  ['on the lines below', `Please summarize the text below.\n\n${long}`],
  ['above the request', `${long}\n\nSummarize the text above please`],
])('of a long text %s only the beginning is searched for, and the request whole', (_where, message) => {
  const searched = toSearched(message)
  expect(searched.length).toBeLessThan(300)
  expect(searched).toMatch(/summarize/i)
})

test.each([
  'Translate into French: good day',
  'Good morning,\n\nas agreed I am looking for connections by rail. The journey is from Brussels to Copenhagen.\n\nRegards, T.',
  'What time is it in Oslo?',
])('a short request is searched for as it is: %j', message => {
  expect(toSearched(message)).toBe(message)
})
