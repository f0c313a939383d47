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

type Wishes = Pick<Understanding, 'maxPrice' | 'agent' | 'deadline' | 'chainId' | 'category'>
type Reading = { task: string } & Wishes

/** Reads price, deadline, chain and category, and returns the remaining words of the task. */
const readWishes = (words: string): { wishes: Omit<Wishes, 'agent'>; rest: string } => {
  const price = takePrice(words)
  const deadline = takeDeadline(price.rest)
  const chain = takeChain(deadline.rest)
  const category = takeCategory(chain.rest)
  const wishes = { maxPrice: price.found, deadline: deadline.found, chainId: chain.found, category: category.found }
  return { wishes, rest: category.rest }
}

/** Reads a price limit in the last clause of the material. A price elsewhere belongs to the material. */
const closingPrice = (material: string): string | undefined => {
  const { found, rest } = takePrice(material.slice(material.search(/[.,;\n][^.,;\n]{0,80}(?:\.\d+[^.,;\n]{0,80})?[.\s]*$/) + 1))
  return toMeaning(rest).length === 0 ? found : undefined
}

const readMessage = (message: string): Reading => {
  const hire = readHireSentence(message)
  if (hire) {
    const { found: agent = takeHandle(hire.frame).found } = takeId(hire.frame)
    return { task: tidy(`${hire.service} ${split(hire.task).request}`), ...readWishes(hire.frame).wishes, agent }
  }
  const { found: id, rest } = takeId(message)
  const { request, material, isEnclosed } = split(rest)
  const { wishes, rest: unwished } = readWishes(request)
  const { found: handle, rest: task } = id ? { found: undefined, rest: unwished } : takeHandle(unwished)
  // "Use babel: translate …" names only an agent before the colon.
  if (handle && toMeaning(task).length === 0 && material) return { ...readMessage(material), agent: handle }
  return {
    task: tidy(task),
    ...wishes,
    maxPrice: wishes.maxPrice ?? (isEnclosed ? undefined : closingPrice(material)),
    agent: id ?? handle,
  }
}

/** Reads the task of a message, its limits and the agent that it names. Words that name no work ask for help. */
export const understand = (message: string): Understanding => {
  const read = readMessage(message)
  const isTask = toMeaning(read.task).length > 0 || read.agent !== undefined
  return { ...read, intent: isTask ? 'task' : 'help', task: isTask ? read.task : '' }
}
