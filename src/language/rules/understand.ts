import type { Understanding } from '../../ports.ts'
import { takeCategory, takeChain, takeDeadline, takePrice } from '../text/limits.ts'
import { toMeaning } from '../words/words.ts'
import { split } from './material.ts'
import { readHireSentence, takeHandle, takeId } from './phrases.ts'

const taskChars = 500
const addresses = /\bhttps?:\/\/\S+|\b[\w.+-]{1,64}@[\w-]{1,63}\.[\w.]+/gi

/** Normalises a task to one line for the search. */
const tidy = (text: string) =>
  text
    .slice(0, taskChars * 4)
    .replace(addresses, ' ')
    .replace(/\bpl[sz]\b/gi, 'please')
    .replace(/\s+/g, ' ')
    .replace(/\s+([.,;:!?])/g, '$1')
    .replace(/([.,;:!?])(?:\s*[.,;:])+/g, '$1')
    .replace(/^[\s.,;:!?]+|[\s,;:]+$/g, '')
    .slice(0, taskChars)
    .trim()

type Heard = Pick<Understanding, 'intent' | 'task' | 'agent' | 'chainId' | 'category'>
type Read = Omit<Heard, 'intent'>

/** Reads chain and category, and returns the remaining words of the task without its limits. */
const readWishes = (words: string): { wishes: Pick<Read, 'chainId' | 'category'>; rest: string } => {
  const chain = takeChain(takeDeadline(takePrice(words).rest).rest)
  const category = takeCategory(chain.rest)
  return { wishes: { chainId: chain.found, category: category.found }, rest: category.rest }
}

const readMessage = (message: string): Read => {
  const hire = readHireSentence(message)
  if (hire) {
    const { found: agent = takeHandle(hire.frame).found } = takeId(hire.frame)
    return { task: tidy(`${hire.service} ${split(hire.task).request}`), ...readWishes(hire.frame).wishes, agent }
  }
  const { found: id, rest } = takeId(message)
  const { request, material } = split(rest)
  const { wishes, rest: unwished } = readWishes(request)
  const { found: handle, rest: task } = id ? { found: undefined, rest: unwished } : takeHandle(unwished)
  // "Use babel: translate …" names only an agent before the colon.
  if (handle && toMeaning(task).length === 0 && material) return { ...readMessage(material), agent: handle }
  return { task: tidy(task), ...wishes, agent: id ?? handle }
}

/** Sounds and words that say nothing. */
const idle = /^(?:(?:h+m+|u+h+m*|well|whatever)[\s,.!?…]*)+$/i

/** Reads the task of a message and the agent that it names. Words without work or address ask for help. */
export const understand = (message: string): Heard => {
  const read = readMessage(message)
  const isSaying = toMeaning(read.task).length > 0 || read.agent !== undefined || message.search(addresses) >= 0
  const isTask = isSaying && !idle.test(message.trim().slice(0, 40))
  return { ...read, intent: isTask ? 'task' : 'help', task: isTask ? read.task : '' }
}
