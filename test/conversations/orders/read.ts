import { type Phrase, readPhrases } from '../consent/phrases.ts'

const closing = 'Please create the job, lock the budget and hire.'

/** The agent that an order names, and its price in USDC. */
export type Named = { handle: string; id: string; price: string }

/** The parts of the hire sentence that the messages of a file name. */
const partsOf = ({ handle, id, price }: Named): Record<string, string> => {
  const task = 'write a haiku about frogs'
  const open = `I want to hire ${handle} to do this task:`
  const pay = `Reward: ${price} USDC. ${closing}`
  const order = `${open} ${task} ${pay}`
  const head = `${open} ${task} Reward: ${price} USDC.`
  return { handle, id, price, open, pay, order, head, rest: order.replace(/^I want /, ''), close: closing }
}

/** The messages of a file with the parts of the hire sentence in them. */
export const readOrders = async (file: 'orders' | 'no-orders' | 'plain' | 'not-plain', named: Named): Promise<Phrase[]> => {
  const parts = partsOf(named)
  const phrases = await readPhrases(new URL(`${file}.txt`, import.meta.url))
  return phrases.map(({ kind, say }) => ({
    kind,
    say: say.replace(/\{(\w+)\}/g, (mark, name: string) => parts[name] ?? mark).replaceAll('\\n', '\n'),
  }))
}
