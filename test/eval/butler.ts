import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { readConfig } from '../../src/config.ts'
import { createModel } from '../../src/llm/model.ts'
import { evaluateInjection, readInjection } from './injection.ts'
import { measurable } from './oneCall.ts'
import { evaluateUnderstanding } from './understanding.ts'

type Row = Record<string, number | null>

const understandingOf = async (data: string, set: string | undefined): Promise<Record<string, Row>> => {
  const { model: configured, rules: reader } = createModel(readConfig(process.env).model)
  const rules = await evaluateUnderstanding({ data, model: reader, ...(set && { set }) })
  if (configured.id === reader.id) return rules
  const asked = await evaluateUnderstanding({ data, model: measurable(configured, reader), ...(set && { set }) })
  return { ...rules, ...Object.fromEntries(Object.entries(asked).map(([name, row]) => [`${name}@${configured.id}`, row])) }
}

const injectionOf = async (data: string): Promise<Record<string, Row>> => {
  const { rules, 'obedient model': obedient } = await evaluateInjection(await readInjection(data))
  return { injection: rules, 'injection@obedient': obedient }
}

/** The given folder may contain the sets, contain them in `dev`, or be one set. */
const placeOf = (data: string, set: string | undefined): { home: string; set: string | undefined } => {
  if (existsSync(join(data, 'queries.jsonl'))) return { home: dirname(data), set: basename(data) }
  return { home: existsSync(join(data, 'dev')) ? join(data, 'dev') : data, set }
}

/**
 * Measures how well the butler understands each set, and its resistance to hostile texts. It measures the rules, and a
 * configured model as `<set>@<model>`.
 */
export const measureButler = async (data: string, asked: string | undefined): Promise<Record<string, Row>> => {
  if (!existsSync(data)) return {}
  const { home, set } = placeOf(data, asked)
  const understood = set === 'injection' ? {} : await understandingOf(home, set)
  const attacks = set === undefined || set === 'injection' ? existsSync(join(home, 'injection', 'injection.jsonl')) : false
  return { ...understood, ...(attacks && (await injectionOf(home))) }
}
