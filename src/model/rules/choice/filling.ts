import type { JsonObject } from '../../../domain/json.ts'
import { toProperties } from '../../requirement.ts'
import { fill } from '../fill.ts'
import { toKind } from '../kinds.ts'

const plainKinds = new Set(['text', 'topic', 'question', 'request', 'string', 'name'])

/** What a request fills in of a requirement: its values, the required ones it lacks, and how many are of a telling type. */
export const fillFor = (text: string, requirement: JsonObject): { values: JsonObject; missing: string[]; typed: number } => {
  const values = fill({ said: [text], requirement })
  const properties = toProperties(requirement)
  return {
    values,
    missing: properties.filter(it => it.required && !(it.name in values)).map(it => it.name),
    typed: properties.filter(it => it.name in values && !plainKinds.has(toKind(it))).length,
  }
}
