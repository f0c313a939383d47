import { type FieldName, type Fields, fieldNames } from './fields.ts'

/**
 * What a word counts by where it stands (BM25F, Robertson, Zaragoza and Taylor 2004). The name says most in the fewest words; a
 * schema is long and says little of the purpose; what was learned speaks for a listing but is not its own word.
 */
export const fieldWeights: Record<FieldName, number> = { name: 3, about: 1, schema: 0.6, learned: 0.5 }

/** The length of a listing as its words count. */
export const lengthOf = (fields: Fields): number =>
  fieldNames.reduce((sum, name) => sum + fieldWeights[name] * fields[name].length, 0)
