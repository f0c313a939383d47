import { offers } from './planWorld.ts'

/** Eight tasks: a chain of three, four that stand alone, and one that needs the result of one that fails. */
export const eight = [
  'Tell me the weather in London',
  'Summarize the result',
  'Translate the summary into French',
  'Tell me the time in Tokyo',
  'Tell me the time in Lima',
  'Tell me the time in Rome',
  'Tell me the weather in Oslo',
  'Summarize the result',
]
  .map((it, at) => `${at + 1}. ${it}`)
  .join('\n')

export const eightAgents = {
  weather: [offers.weather],
  sum: [offers.summarizer],
  translate: [offers.translator],
  clock: [offers.clock],
}
