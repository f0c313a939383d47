// How a message names the agent for its task. Only src/domain/consent/hireOrder.ts reads an order that hires.

const named =
  /\bhire\s+(?:the\s+)?(?:agent\s+)?@?[\p{L}\p{N}][\p{L}\p{N}_.:-]{1,80}\s+(?:to|for)\b|(?<![\p{L}\p{N}.])@[\p{L}\p{N}][\p{L}\p{N}_.-]{1,63}|\bagent id:|\b(?:use|ask|hire) (?:the )?agent\s+@?[\p{L}\p{N}]/iu
const readChars = 400

/** Whether a message names the agent for its task, in one of the forms of clients and users. */
export const namesAgent = (message: string): boolean => named.test(message.slice(0, readChars))
