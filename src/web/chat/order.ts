import { toQuotable } from '../../domain/text/quotableText.ts'
import { editedOf } from '../fields/fields.ts'

const nameChars = 200

/** The sentence with which the page orders one offering of one agent. The input may still have to be written behind it. */
export const toOrder = (agentHandle: string, offeringName: string, input = ''): string =>
  `Hire ${agentHandle} for the "${toQuotable(offeringName, nameChars).replaceAll('"', '')}" service, task: ${input}`

const order = /^Hire \S+ for the "(?<offering>[^"]+)" service, task: (?<input>[\s\S]+)$/

/** A message as its reader sees it: an order of the page as "QR code: https://example.com", any other text unchanged. */
export const toMessageText = (text: string): string => {
  const { offering, input } = order.exec(text)?.groups ?? {}
  if (!offering || !input) return text
  const values = Object.values(editedOf(input))
  if (values.length > 0) return `${offering}: ${values.join(', ')}`
  // The title of a conversation may end in the middle of the input.
  return input.startsWith('{') ? offering : `${offering}: ${input}`
}
