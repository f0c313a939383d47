import { isObject, type JsonObject } from '../json.ts'

/** Whether an offering takes plain text: it has no requirement, or one without properties. */
export const takesPlainText = (requirement: JsonObject | null | undefined): boolean =>
  !isObject(requirement?.properties) || Object.keys(requirement.properties).length === 0

/** The input as sent to the provider: plain text where the offering takes it, otherwise JSON text. */
export const toInputText = (requirement: JsonObject | null | undefined, values: JsonObject): string =>
  takesPlainText(requirement) && typeof values.text === 'string' ? values.text : JSON.stringify(values)
