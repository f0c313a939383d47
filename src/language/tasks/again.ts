import { splitConnectors } from './connectors.ts'

/** Words that ask for what the task before asks for, once more: "one about snow", "another for Ann". */
const once =
  /^(?:an?other(?: one)?|a (?:second|third|different|new) one|the (?:second|third|fourth|other|next|last)(?: one)?|one(?: more)?|(?:(?:do|repeat|get|find|give me|tell me) )?the same(?: thing| again)?)\s+(?=(?:about|for|of|on|in|with|at|from|to|as|that)(?!\p{L}))/iu
/** The request and its noun: "Write a haiku" of "Write a haiku about rain". */
const request =
  /^.{3,60}?\s(?:an?|the|my|some)\s[\p{L}\p{M}\p{N}'’ -]{2,40}?(?=\s(?:about|for|of|on|in|with|at|from|to|as|that)(?!\p{L}))/iu

/** Whether a unit asks for what the one before asks for, once more. */
export const asksAgain = (text: string): boolean => once.test(splitConnectors(text).rest)

/** The words of a task, where one that only says "one about snow" has the request and the noun of the task before. */
export const again = (text: string, before: string): string => {
  const of = request.exec(before)?.[0]
  return of === undefined ? text : text.replace(once, () => `${of} `)
}
