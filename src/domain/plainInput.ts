import { isObject, type JsonObject } from './json.ts'

/** Whether an offering takes plain text: it has no requirement, or one without properties. */
export const takesPlainText = (requirement: JsonObject | null | undefined): boolean =>
  !isObject(requirement?.properties) || Object.keys(requirement.properties).length === 0

/** The input as it is sent to the provider: plain text where no form was asked for, else JSON text. */
export const toInputText = (requirement: JsonObject | null | undefined, values: JsonObject): string =>
  takesPlainText(requirement) && typeof values.text === 'string' ? values.text : JSON.stringify(values)
