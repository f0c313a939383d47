import { type Json, parseJson } from '../json.ts'
import { toOwnUrls } from '../text/ownWords.ts'

/** Key of the record that a user named an address in the first message of a run. */
export const addressKey = 'address'

/** A resource that a message asks to pay for, with the JSON that is sent to it. */
export type WantedResource = { url: string; body?: Json }

/**
 * Reads the resource that a message asks to pay for. Only the user's own words name an address; quoted and pasted text never
 * does.
 * @returns a sentence for the user where the message names no address, several, or a body that is no JSON
 */
export const readWantedResource = (message: string): WantedResource | string => {
  const [url, ...others] = toOwnUrls(message)
  if (url === undefined || others.length > 0) return oneAddress
  const [found] = /[{[][\s\S]*[}\]]/.exec(message.replaceAll(url, ' ')) ?? []
  if (found === undefined) return { url }
  const body = parseJson(found)
  return body === undefined ? noJson : { url, body }
}

const oneAddress = 'I pay for one address at a time. Send me the one that you want, outside of quotation marks. Nothing was paid.'
const noJson = 'I cannot read the JSON that goes to that address. Send the message again with valid JSON. Nothing was paid.'
