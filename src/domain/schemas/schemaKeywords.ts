import { fileKeywords } from '../files/fileRules.ts'

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
/** Keywords that are only annotations here. A stranger's pattern could take unbounded time and is not checked. */
export const notingKeywords = [
  'title',
  'description',
  'default',
  'examples',
  'example',
  'format',
  'pattern',
  'contentMediaType',
  ...fileKeywords,
  'deprecated',
  'readOnly',
  'writeOnly',
  '$schema',
  '$comment',
] as const
/** Keywords of references inside one schema. References are replaced by their targets at the registration. */
export const referringKeywords = ['$ref', '$defs', 'definitions'] as const
export const schemaTypes = ['object', 'string', 'number', 'integer', 'boolean', 'array', 'null'] as const
