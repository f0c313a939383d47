import { isObject, type Json, type JsonObject, jsonObject } from '../../../src/domain/json.ts'
import type { Call, Row } from './rows.ts'

/** A call as the butler answered it; `input` is empty where it is not known yet. */
export type Answered = { name: string; input: JsonObject }
/** An answer to one request: its calls, and all words that name what is left out, asked or not planned. */
export type Heard = { calls: Answered[]; named: string }

/** Without case, blanks and the marks that spellings of one value differ in. */
const plain = (text: string) => text.toLowerCase().replace(/[\s,./_*^'"-]/g, '')

const isNumeric = (value: Json): boolean => typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')

const isSame = (wanted: Json, given: Json): boolean => {
  if (typeof wanted === 'number' || typeof given === 'number')
    return isNumeric(wanted) && isNumeric(given) && Number(wanted) === Number(given)
  if (typeof wanted === 'string' && typeof given === 'string') return plain(wanted) === plain(given)
  if (Array.isArray(wanted) && Array.isArray(given))
    return wanted.length === given.length && wanted.every((it, at) => isSame(it, given[at] ?? null))
  if (isObject(wanted) && isObject(given)) return isAccepted(jsonObject.parse(wanted), jsonObject.parse(given))
  return wanted === given
}

const isOneOf = (accepted: Json | undefined, given: Json | undefined): boolean => {
  const all = [accepted ?? []].flat()
  return given === undefined ? all.includes('') : all.some(it => isSame(it, given))
}

/** Whether each argument has an accepted value, and none was invented. Members of an accepted object are lists again. */
const isAccepted = (accepted: JsonObject, given: JsonObject): boolean =>
  Object.keys({ ...accepted, ...given }).every(name => Object.hasOwn(accepted, name) && isOneOf(accepted[name], given[name]))

/** Pairs right calls with answered ones of the same tool: those with right inputs first. */
const pair = (row: Row, answered: readonly Answered[]) => {
  const left = [...answered]
  const paired: { call: Call; isRight: boolean }[] = []
  const isPaired = (call: Call) => paired.some(it => it.call === call)
  for (const needsInput of [true, false])
    for (const call of row.calls) {
      if (isPaired(call)) continue
      const fits = (it: Answered) => isAccepted(call.arguments, it.input)
      const at = left.findIndex(it => it.name === call.name && (!needsInput || fits(it)))
      const [found] = at < 0 ? [] : left.splice(at, 1)
      if (found) paired.push({ call, isRight: fits(found) })
    }
  return { paired, missed: row.calls.filter(it => !isPaired(it)) }
}

/** The texts among the values of a call that its request says. */
const valuesSaid = ({ arguments: of }: Call, request: string): string[] => {
  const texts = Object.values(of).flatMap(accepted =>
    accepted.flat().filter(it => typeof it === 'string' || typeof it === 'number'),
  )
  return texts.map(String).filter(it => it !== '' && plain(request).includes(plain(it)))
}

/** Whether an answer names a missed call: a value of it that the request says, or, where none is said, anything at all. */
const isNamed = (call: Call, row: Row, named: string): boolean => {
  const said = valuesSaid(call, row.request)
  return said.length === 0 ? named.trim() !== '' : said.some(it => plain(named).includes(plain(it)))
}

const namesOf = (calls: readonly { name: string }[]) =>
  calls
    .map(it => it.name)
    .sort()
    .join('\n')

export type Scored = { id: string; calls: number; named: number; right: number; isAll: boolean; steps: number; silent: number }

/** Scores the answer to one request. */
export const score = (row: Row, { calls, named }: Heard): Scored => {
  const { paired, missed } = pair(row, calls)
  return {
    id: row.id,
    calls: row.calls.length,
    named: paired.length,
    right: paired.filter(it => it.isRight).length,
    isAll: namesOf(row.calls) === namesOf(calls),
    steps: calls.length,
    silent: missed.some(it => !isNamed(it, row, named)) ? 1 : 0,
  }
}

const share = (part: number, whole: number) => (whole === 0 ? null : part / whole)
const sum = (all: readonly number[]) => all.reduce((a, b) => a + b, 0)

/**
 * The figures of a set: shares from 0 to 1, and numbers of requests. A request with one right call is a control: more than one
 * step is a wrong split.
 */
export const toFigures = (all: readonly Scored[], seconds: number): Record<string, number | null> => {
  const several = all.filter(it => it.calls > 1)
  const single = all.filter(it => it.calls === 1)
  const named = sum(several.map(it => it.named))
  return {
    requests: all.length,
    all_calls_right: share(several.filter(it => it.isAll).length, several.length),
    calls_right: share(named, sum(several.map(it => it.calls))),
    inputs_right: share(sum(several.map(it => it.right)), named),
    silent: sum(several.map(it => it.silent)),
    wrongly_split: share(single.filter(it => it.steps > 1).length, single.length),
    seconds,
  }
}
