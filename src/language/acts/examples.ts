import { readFile } from 'node:fs/promises'
import { type Act, acts, type Situation, type Stage, stages } from '../../domain/runs/acts.ts'
import type { Row } from './classifier.ts'

const folder = new URL('../../../prompts/acts/', import.meta.url)

/** An example sentence of an act and the situations in which users say it. */
export type Example = { act: Act; text: string; situations: Situation[] }

const tagged = /^\{([a-z, ]+)\}\s*(.+)$/
/** The default situations of a sentence that names none. */
const usual: Record<Act, string> = {
  task: 'none, ended, proposal, left, job, offers, choices, mandates, ask',
  answer: 'ask',
  change: 'proposal, ended',
  pick: 'choices',
  yes: 'proposal',
  no: 'proposal, ask, none, choices, ended, offers',
  status: 'job, none, ended, proposal',
  cancel: 'job, none, ended',
  refund: 'job, ended, none',
  appeal: 'ended, none',
  spending: 'none, ended, job, proposal',
  balance: 'none, proposal, ended, job',
  jobs: 'none, job, ended, proposal',
  about: 'proposal, ended',
  price: 'none, ended, left, mandates',
  recommend: 'none, ended, left, proposal',
  capabilities: 'none, ended, job, proposal',
  'how-it-works': 'none, job, proposal, ended, mandates',
  mandates: 'none, mandates, ended',
  withdraw: 'none, ended, job',
  pay: 'none, ended, proposal, left',
  greeting: 'none, ended, left, job',
  thanks: 'none, ended, job, left, mandates',
  declined: 'none, ended, proposal, left',
}
/** Each sentence is trained in this many of its default situations, in rotation. More situations only slow the training down. */
const placesOfOne = 3

/** Returns the contents of all example files as one text, which is also hashed to recognise stored weights. */
export const readExampleText = async (): Promise<string> => {
  const texts = await Promise.all(acts.map(async it => `# ${it}\n${await readFile(new URL(`${it}.txt`, folder), 'utf8')}`))
  return texts.join('\n')
}

/**
 * Parses example files: one sentence a line, with an optional prefix such as `{proposal, job}` that names its situations.
 * @throws RangeError for an unknown situation
 */
export const parseExamples = (text: string): Example[] => {
  let act: Act | undefined
  return text.split('\n').flatMap((line, turn) => {
    const words = line.trim()
    if (!words) return []
    if (words.startsWith('# ')) {
      act = acts.find(it => words === `# ${it}`)
      return []
    }
    if (!act) return []
    const [, places, rest] = tagged.exec(words) ?? []
    return [{ act, text: (rest ?? words).replaceAll('\\n', '\n'), situations: places ? placesOf(places) : usualOf(act, turn) }]
  })
}

const placesOf = (places: string): Situation[] =>
  places.split(',').flatMap(it => {
    const name = it.trim()
    if (name === 'job') return [{ stage: 'none' as const, hasJob: true, hasEnded: false }]
    if (name === 'ended') return [{ stage: 'none' as const, hasJob: false, hasEnded: true }]
    const stage = stages.find(known => known === name)
    if (!stage) throw new RangeError(`unknown place {${name}} in an example`)
    return [at(stage)]
  })

const at = (stage: Stage): Situation => ({ stage, hasJob: false, hasEnded: false })

const usualOf = (act: Act, turn: number): Situation[] => {
  const places = placesOf(usual[act])
  return places
    .map((_, place) => places[(place + turn) % places.length])
    .flatMap(it => it ?? [])
    .slice(0, placesOfOne)
}

/** Returns a training row for each sentence in each of its situations. */
export const toRows = (examples: Example[]): Row[] =>
  examples.flatMap(({ act, text, situations }) =>
    situations.map(situation => ({ text, act, situation, share: 1 / situations.length })),
  )
