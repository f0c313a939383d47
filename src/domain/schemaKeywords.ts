/** Keywords of JSON Schema with force here: what they ask for is checked. */
export const forcefulKeywords = [
  'type',
  'required',
  'properties',
  'items',
  'additionalProperties',
  'enum',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'const',
  'anyOf',
  'oneOf',
  'allOf',
] as const
/** Keywords that only say something to people and models. A pattern of a stranger could take unbounded time, and is not checked. */
export const notingKeywords = [
  'title',
  'description',
  'default',
  'examples',
  'example',
  'format',
  'pattern',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$schema',
  '$comment',
] as const
/** Keywords of references inside one schema: what they name is put in their place when the schema comes in. */
export const referringKeywords = ['$ref', '$defs', 'definitions'] as const
export const schemaTypes = ['object', 'string', 'number', 'integer', 'boolean', 'array', 'null'] as const
