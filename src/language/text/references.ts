import type { JsonObject } from '../../domain/json.ts'

const cancelling =
  /^(?:(?:ok|okay|no|oh|nvm|never ?mind|wait|please)[,.!]?\s+)*(?:cancel|stop|abort|forget|withdraw)(?:\s+(?:it|that|this|the job|my job|the order))?(?:\s+please)?\s*(?:[,;.!-]+|\band(?: then)?\b)\s*(?:and\s+|then\s+|please\s+)*(?=\S{2,}\s+\S)/i

/** Returns the request that follows "cancel that, …"; undefined when the message does not begin like this. */
export const afterCancel = (message: string): string | undefined => {
  const [lead] = cancelling.exec(message) ?? []
  return lead === undefined ? undefined : message.slice(lead.length)
}

const placeNames = /^(?:city|to|destination|location|place|town)/i
const dateNames = /date|check_?in|^day$/i
const addressValue = /^https?:\/\//

/** Replaces references such as "there", "the same day" and "of it" by values from an earlier input. */
export const resolveReferences = (text: string, input: JsonObject): string => {
  const entries = Object.entries(input)
  const textOf = (fits: (name: string, value: string) => boolean) =>
    entries.flatMap(([name, value]) => (typeof value === 'string' && fits(name, value) ? [value] : []))[0]
  const [place, date, address] = [
    textOf(name => placeNames.test(name)),
    textOf(name => dateNames.test(name)),
    textOf((_, value) => addressValue.test(value)),
  ]
  return text
    .replace(/\bthere\b(?! (?:is|are|was|will|has|be))/i, it => (place ? `to ${place}` : address ? `at ${address}` : it))
    .replace(/\b(?:on )?(?:the same|that) (?:day|date)\b/i, it => (date ? `on ${date}` : it))
    .replace(/\b(of|for|from|on) (?:it|that|this)\b/i, (it, lead: string) => (address ? `${lead} ${address}` : it))
}
