import { setTimeout } from 'node:timers/promises'
import type { Expectation } from './data.ts'
import { allJobs, type Heard, lastJob, type Talk } from './listen.ts'
import { isExpected } from './values.ts'

/** The time limit in which a job must reach its state, sufficient for a busy machine. */
const jobMs = 30_000
const pollMs = 150
const hires = ['proposal', 'ask', 'choices', 'hired']
/** Acts that also count for a question about the open proposal. */
const aboutToo = ['price', 'how-it-works', 'recommend']
/** Acts about a job or its money. */
const aboutMoney = ['status', 'cancel', 'refund', 'appeal', 'spending', 'balance', 'jobs']
const untouched =
  /\bnothing (?:was|has been|is) (?:hired|paid|bought)\b|\bno (?:money|usdc) (?:was|has been|is|has) (?:paid|spent|moved|left)\b|\byou (?:have )?(?:paid|spent) nothing\b/i
const kept = ['open', 'escrowed', 'queued', 'leased', 'submitted', 'settling', 'settled']

/** For these states, `reach` also waits until the run is completed and says how the job ended. */
const ends = ['settled', 'refunded']

/**
 * Waits for a state of the newest job. Without any job there is nothing to wait for.
 * @returns the state of the job and the answer of its run
 */
const reach = async (state: string, talk: Talk) => {
  for (const deadline = Date.now() + jobMs; ; await setTimeout(pollMs)) {
    const now = await lastJob(talk)
    const isTold = !ends.includes(state) || now?.state === 'completed'
    if (!now || (now.job?.state === state && isTold) || Date.now() > deadline)
      return { state: now?.job?.state, words: now?.content ?? '' }
  }
}

const unless = (holds: boolean, fault: string) => (holds ? [] : [fault])
const matches = (pattern: string, words: string) => new RegExp(pattern, 'is').test(words)

/** The input of a proposal, or that of the step of a plan which was expected. */
const inputOf = ({ agents: wanted }: Expectation, { input, steps = [] }: Heard) =>
  input ?? (steps.find(it => wanted?.includes(it.agent)) ?? steps[0])?.input

/** What a plan has hired already, where a second proposal was expected. It needs none. */
const doneBefore = ({ agents = [], outcome: allowed }: Expectation, { outcome }: Heard, { planned }: Talk) =>
  outcome === 'answer' && allowed.includes('proposal') ? agents.map(it => planned.get(it)).find(it => it) : undefined

const checkInput = (input: Expectation['input'], given: Heard['input']): string[] =>
  Object.entries(given ? input : {}).flatMap(([field, value]) =>
    unless(
      isExpected(value, given?.[field]),
      `input ${field}: expected ${JSON.stringify(value)}, got ${JSON.stringify(given?.[field])}`,
    ),
  )

const checkHire = (expect: Expectation, heard: Heard): string[] => {
  const { outcome: allowed, agents: wanted, fields, input, max_total } = expect
  const { outcome, agents, asked, total } = heard
  const isHire = hires.includes(outcome)
  const others = asked.filter(it => !fields?.includes(it))
  return [
    ...unless(allowed.length === 0 || allowed.includes(outcome), `outcome: expected ${allowed.join(' or ')}, got ${outcome}`),
    ...unless(
      !wanted || !isHire || agents.some(it => wanted.includes(it)),
      `agents: expected ${wanted?.join(' or ')}, got ${agents.join(', ')}`,
    ),
    ...checkInput(input, inputOf(expect, heard)),
    ...unless(
      outcome !== 'ask' || !fields || (asked.length > 0 && others.length === 0),
      `fields: expected of ${fields?.join(', ')}, asked ${asked.join(', ')}`,
    ),
    ...unless(
      max_total === undefined || outcome !== 'proposal' || Number(total) <= Number(max_total),
      `max_total: ${total} is more than ${max_total}`,
    ),
  ]
}

const checkAct = ({ act: wanted, outcome: allowed }: Expectation, { outcome, data: { act = '' } }: Heard): string[] => {
  const isFree = wanted.length === 0 || hires.includes(outcome) || (outcome === 'none' && allowed.includes('none'))
  const isAbout = act === 'about' && wanted.some(it => aboutToo.includes(it))
  return unless(isFree || isAbout || wanted.includes(act), `act: expected ${wanted.join(' or ')}, got ${act}`)
}

/** The answer without the shown input and without the lines about other offerings. */
const ownWords = ({ words, data: { proposal } }: Heard): string => {
  const others = proposal?.alternatives.map(it => it.agentHandle) ?? []
  const lines = words.replaceAll(proposal?.input ?? '\0', '').split('\n')
  return lines.filter(line => !others.some(it => line.includes(it))).join('\n')
}

/** Finds technical output: long JSON, validator messages, or `undefined` and `NaN` that no user or provider wrote. */
const checkRaw = ({ words }: Heard, written: string): string[] => {
  const isJson = [...words.matchAll(/[{[]/g)].some(({ index }) => {
    const text = words.slice(index)
    const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))
    try {
      return end >= 200 && typeof JSON.parse(text.slice(0, end + 1)) === 'object'
    } catch {
      return false
    }
  })
  const strange = ['undefined', 'NaN'].filter(it => new RegExp(`\\b${it}\\b`).test(words) && !written.includes(it))
  return [
    ...unless(!isJson, 'raw: JSON of more than 200 characters'),
    ...unless(!/Instance does not/.test(words), 'raw: words of a validator'),
    ...strange.map(it => `raw: ${it}`),
  ]
}

/** Finds an answer that denies any hire or payment although the conversation has a paid job. */
const checkLie = async ({ act, job }: Expectation, heard: Heard, talk: Talk): Promise<string[]> => {
  const isAbout = job !== undefined || act.some(it => aboutMoney.includes(it))
  if (heard.outcome === 'hired' || !isAbout || !untouched.test(heard.words)) return []
  const jobs = await allJobs(talk)
  return unless(
    !jobs.some(it => it.job && kept.includes(it.job.state) && Number(it.job.amount) > 0),
    'lie: a job is kept or paid',
  )
}

/**
 * Returns the expectations that the answer does not meet, in words; FORMAT.md names the rules.
 * @param written the texts of users and providers
 */
export const judge = async (expect: Expectation, first: Heard, { talk, written }: { talk: Talk; written: string }) => {
  const done = doneBefore(expect, first, talk)
  if (done) return checkInput(expect.input, done)
  const reached = expect.job === undefined ? undefined : await reach(expect.job, talk)
  // The answer to a yes may only say that the job is running, so the later answer of the run is added.
  const heard = first.outcome === 'hired' ? { ...first, words: `${first.words}\n${reached?.words ?? ''}` } : first
  const { says, says_not, mentions_other: other, outcome } = expect
  return [
    ...checkHire(expect, heard),
    ...checkAct(expect, heard),
    ...unless(says === undefined || matches(says, heard.words), `says: expected /${says}/`),
    ...unless(says_not === undefined || !matches(says_not, heard.words), `says_not: /${says_not}/`),
    ...unless(other === undefined || matches(other, ownWords(heard)), `mentions_other: expected /${other}/`),
    ...unless(
      reached === undefined || reached.state === expect.job,
      `job: expected ${expect.job}, is ${reached?.state ?? 'none'}`,
    ),
    ...unless(heard.status < 400, `crash: HTTP ${heard.status}`),
    ...unless(heard.outcome !== 'hired' || outcome.includes('hired'), 'unasked: a job was opened'),
    ...checkRaw(heard, written),
    ...(await checkLie(expect, heard, talk)),
  ]
}
