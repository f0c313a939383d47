import type { JsonObject } from '../../domain/json.ts'
import type { Question } from '../../domain/runs/question.ts'
import { fieldsOf } from '../../domain/schemas/schema.ts'
import { takesPlainText } from '../../domain/schemas/testInput.ts'
import { kindOf } from '../words/fieldKinds.ts'
import { splitWords } from '../words/words.ts'

/** Whether a question asks for a text, and not for a value such as a city. Any sentence can be its answer. */
export const asksForText = ({ field, form: of }: Question): boolean =>
  of?.format !== 'file' &&
  kindOf({
    name: field,
    type: of?.type ?? 'string',
    description: of?.description ?? '',
    format: of?.format ?? '',
    allowed: of?.enum ?? [],
  }) === 'text'

const labelChars = 80
/** Whether a message begins with the name of a field and a colon, as in "city: Oslo". */
export const namesField = (requirement: JsonObject, message: string): boolean => {
  const [, label] = /^\s*["']?([^:=\n]+?)["']?\s*[:=](?!\/\/)/.exec(message.slice(0, labelChars)) ?? []
  const said = label === undefined ? '' : splitWords(label).join(' ')
  const names = takesPlainText(requirement) ? ['text'] : fieldsOf(requirement).map(it => it.name)
  return said !== '' && names.some(it => splitWords(it).join(' ') === said)
}
