/** A user's order that names one agent, a task and its price (decimal USDC). */
export type HireOrder = { agent: string; service: string; task: string; reward: string }

// The verb phrase may contain letters only, so an order that a task quotes after a colon or a quotation mark has no effect.
const opening =
  /^\s*[\p{L}'’ ]{0,60}\bto hire\s+(?:(?:the )?agent )?@?([\w.:-]{1,200}?)[,.;:]?\s+(?:for the ["“]([^"”]{1,200})["”] service[,.;:]?\s+)?(?:to do (?:this|the following) )?task:\s*/iu
const reward = /\breward:\s*(\d{1,30}(?:\.\d{1,18})?)\s*USDC\b/gi
const closingChars = 300

/**
 * Reads the order that command-line clients write for their users: "… to hire <agent> [for the "<service>" service] [to do
 * this] task: <free text> Reward: <number> USDC. <a request to create the job, lock the budget and hire>". Code reads it, never
 * a model. The task may quote anything, so an order must have exactly one reward, followed only by the request.
 */
export const readHireOrder = (message: string): HireOrder | undefined => {
  const [start = '', agent, service = ''] = opening.exec(message) ?? []
  const [limit, ...others] = [...message.matchAll(reward)]
  if (!agent || !limit?.[1] || others.length > 0 || limit.index < start.length) return undefined
  const task = message.slice(start.length, limit.index).trim()
  const closing = message.slice(limit.index + limit[0].length)
  if (!task || closing.length > closingChars || !/\bhire\b/i.test(closing) || /\b(?:task|reward):/i.test(closing))
    return undefined
  return { agent, service, task, reward: limit[1] }
}

const named =
  /\bhire\s+(?:the\s+)?(?:agent\s+)?@?[\p{L}\p{N}][\p{L}\p{N}_.:-]{1,80}\s+(?:to|for)\b|(?<![\p{L}\p{N}.])@[\p{L}\p{N}][\p{L}\p{N}_.-]{1,63}|\bagent id:|\b(?:use|ask|hire) (?:the )?agent\s+@?[\p{L}\p{N}]/iu
const readChars = 400

/** Whether a message names the agent for its task, in one of the forms of clients and users. */
export const namesAgent = (message: string): boolean => named.test(message.slice(0, readChars))
