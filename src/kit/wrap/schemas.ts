import { isObject, type JsonObject } from '../../domain/json.ts'
import { checkSchema } from '../../domain/schemas/schema.ts'
import { forcefulKeywords, notingKeywords } from '../../domain/schemas/schemaKeywords.ts'
import { withoutReferences } from '../../domain/schemas/schemaReferences.ts'

const supported = new Set<string>([...forcefulKeywords, ...notingKeywords])

/**
 * Converts a schema of another program to the form of the market, without references and unsupported keywords. The program
 * still validates its input itself.
 * @throws Problem schema-unsupported, schema-too-large
 */
export const toMarketSchema = (schema: JsonObject): JsonObject => {
  const kept = keep(withoutReferences(schema))
  checkSchema(kept)
  return kept
}

const keep = (schema: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => supported.has(keyword))
      .map(([keyword, it]) => {
        if (keyword === 'properties' && isObject(it))
          return [
            keyword,
            Object.fromEntries(Object.entries(it).map(([name, inner]) => [name, isObject(inner) ? keep(inner) : {}])),
          ]
        if (['items', 'additionalProperties'].includes(keyword) && isObject(it)) return [keyword, keep(it)]
        if (['anyOf', 'oneOf', 'allOf'].includes(keyword) && Array.isArray(it))
          return [keyword, it.map(inner => (isObject(inner) ? keep(inner) : {}))]
        return [keyword, it]
      }),
  )
