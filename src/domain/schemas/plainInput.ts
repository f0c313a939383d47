import { isObject, type JsonObject } from '../json.ts'

/** Whether an offering takes plain text: it has no requirement, or one without properties. */
export const takesPlainText = (requirement: JsonObject | null | undefined): boolean =>
  !isObject(requirement?.properties) || Object.keys(requirement.properties).length === 0

/** The input as sent to the provider: plain text where the offering takes it, otherwise JSON text. */
export const toInputText = (requirement: JsonObject | null | undefined, values: JsonObject): string =>
  takesPlainText(requirement) && typeof values.text === 'string' ? values.text : JSON.stringify(values)

/** The form of an offering. One that takes plain text has a single text. */
export const toForm = (requirement: JsonObject): JsonObject =>
  takesPlainText(requirement)
    ? {
        type: 'object',
        required: ['text'],
        properties: { text: { type: 'string', description: 'what it is to work on, in your words' } },
      }
    : requirement
