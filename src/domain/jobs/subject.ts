import { toTitleText } from '../files/fileLinks.ts'
import { isObject, parseJson } from '../json.ts'
import { toQuotable } from '../text/quotableText.ts'

const subjectChars = 60

/** What a job was about, from its input in few characters: its text, or the first value of its JSON, also in a list. */
export const toSubject = (input: string): string => {
  const read = parseJson(input)
  const [first = ''] = isObject(read) ? Object.values(read).flat() : [input]
  return toQuotable(toTitleText(typeof first === 'string' ? first : JSON.stringify(first)), subjectChars)
}
