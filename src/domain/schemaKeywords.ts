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
] as const
/** Keywords that only say something to people and models. */
export const notingKeywords = ['title', 'description', 'default', 'examples', 'example', 'format', '$schema'] as const
export const schemaTypes = ['object', 'string', 'number', 'integer', 'boolean', 'array', 'null'] as const
