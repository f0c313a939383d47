import { speaksOfDeal } from './dealWords.ts'

export type HireOrder = { agent: string; service: string; task: string; reward: string }

// The order pays without a question, so the whole message is one closed frame. Words that the frame does not have make it a task.

const greeting = String.raw`(?:(?:hi|hello|hey|good (?:morning|afternoon|evening))(?: there| butler)?[,.!]?\s+)?`
const asking = String.raw`(?:please,?\s+)?(?:help (?:me|us)(?:\s+to)?|(?:i|we) (?:want|need|would like|wish) to|(?:i|we)['’]d like to)`
const agent = String.raw`(?:(?:the )?agent )?@?([\w.:-]{1,200}?)[,.;:]?`
const service = String.raw`(?:for the ["“]([^"”\n]{1,200})["”] service[,.;:]?\s+)?`
const opening = new RegExp(
  String.raw`^\s*${greeting}${asking}\s+hire\s+${agent}\s+${service}(?:to do (?:this|the following) )?task:\s*`,
  'iu',
)

const rewards = /\breward:/gi
const reward = /\breward:\s*(\d{1,30}(?:\.\d{1,18})?)\s*USDC\b[.,;!]?/i
const deed = String.raw`create (?:the|this|a) job(?:\s*,\s*|\s+and\s+|\s*,\s*and\s+)(?:lock (?:the |its |my )?budget,?\s+and\s+)?hire`
const whom = String.raw`(?:\s+(?:it|them|him|her|this agent|that agent|the agent))?(?:\s+(?:now|for me|for us))?`
const thanks = String.raw`(?:\s*,?\s*(?:please|thanks|thank you|thank you very much|thanks a lot|many thanks|cheers)[.!]*){0,2}`
const closing = new RegExp(String.raw`^\s*(?:please,?\s+)?${deed}${whom}[.!]*${thanks}\s*$`, 'iu')

/**
 * Reads the order that command-line clients write for their users: "I want to hire <agent> [for the "<service>" service] [to do
 * this] task: <free text> Reward: <number> USDC. Please create the job, lock the budget and hire." Code reads it, never a model.
 * The message must be this frame from its first character to its last. The task ends at its only "Reward:", and a task that
 * speaks of the hire itself, such as "do not hire anybody", makes the message no order. Undefined for every other message.
 */
export const readHireOrder = (message: string): HireOrder | undefined => {
  const [start = '', named, offering = ''] = opening.exec(message) ?? []
  const found = reward.exec(message)
  if (!named || !found?.[1] || [...message.matchAll(rewards)].length > 1 || found.index < start.length) return undefined
  const task = message.slice(start.length, found.index).trim()
  if (!task || !closing.test(message.slice(found.index + found[0].length)) || speaksOfDeal(task)) return undefined
  return { agent: named, service: offering, task, reward: found[1] }
}
