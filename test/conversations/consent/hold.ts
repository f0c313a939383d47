import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { readPeople, readUnmetTurns } from '../people/data.ts'
import { inLanes, openMarket } from '../people/providers.ts'
import { type Call, signIn } from '../people/service.ts'
import { type Phrase, withOwn } from './phrases.ts'

/** What came of a phrase that was sent while a proposal was open. `isHired`: a job was opened. */
export type HeldPhrase = Phrase & { said: string; isHired: boolean; isOpen: boolean; act: string; words: string }

const proposal = z.object({
  ...{ agentName: z.string(), agentHandle: z.string(), offeringName: z.string(), total: z.string(), digest: z.string() },
})
const run = z.object({
  ...{ run_id: z.string(), state: z.string(), content: z.string(), act: z.string().optional() },
  ...{ job: z.object({}).optional(), proposal: proposal.optional() },
})
const answer = z.object({ data: run })

const lanes = 6
const waitMs = 20_000
const shownChars = 8

/** Tasks that the market of `people` serves with a proposal at once. */
const readTasks = async (): Promise<string[]> => {
  const unmet = await readUnmetTurns()
  return (await readPeople()).conversations.flatMap(({ id, kind, turns: [first] }) =>
    kind === 'yes' && first?.expect.outcome.includes('proposal') && !unmet.has(`${id} 1`) ? [first.say] : [],
  )
}

type Message = { token: string; message: string; context: object }

/** Says something and waits until the butler has decided: a slow machine must not look like a proposal that stays open. */
const say = async (call: Call, { token, message, context }: Message): Promise<z.infer<typeof run>> => {
  let { data } = answer.parse((await call('/invoke', { token, body: { message, context, wait_ms: 0 } })).body)
  for (const until = Date.now() + waitMs; data.state === 'working' && Date.now() < until; await setTimeout(50))
    data = run.parse((await call(`/runs/${data.run_id}`, { token })).body)
  if (data.state === 'working') throw new Error(`“${message}” was not answered in time.`)
  return data
}

const tries = 20

/** Opens a proposal in a new conversation. The listings of a new market are found after a moment. */
const open = async (call: Call, { token, task }: { token: string; task: string }) => {
  for (let at = 0; at < tries; at += 1) {
    const context = { conversation_id: randomUUID() }
    const { proposal: terms } = await say(call, { token, message: task, context })
    if (terms) return { context, terms }
    await setTimeout(500)
  }
  throw new Error(`“${task}” was not proposed.`)
}

/** Opens a proposal of a new user, says the phrase, and looks what came of it. */
const holdOne = async (call: Call, phrase: Phrase, task: string): Promise<HeldPhrase> => {
  const token = await signIn(call, randomBytes(16).toString('hex'))
  // Requests that were learned from one phrase would change what is proposed for the next one.
  await call('/v1/learning', { token, body: { enabled: false } })
  const { context, terms } = await open(call, { token, task })
  const { agentName: agent, agentHandle: handle, offeringName: offering, total: price, digest } = terms
  const said = withOwn(phrase.say, { agent, handle, offering, price, digest: digest.slice(0, shownChars) })
  const { content: words, state, job, act = '' } = await say(call, { token, message: said, context })
  return { ...phrase, said, isHired: job !== undefined, isOpen: state === 'awaiting-confirmation', act, words }
}

/** Says each phrase to an open proposal, through the front door. The tasks of the proposals take turns. */
export const holdPhrases = async (call: Call, phrases: Phrase[]): Promise<HeldPhrase[]> => {
  const { market } = await readPeople()
  const tasks = await readTasks()
  const { close } = await openMarket(call, market)
  const held = new Map<number, HeldPhrase>()
  try {
    await inLanes([...phrases.entries()], lanes, async ([at, it]) => {
      held.set(at, await holdOne(call, it, tasks[at % tasks.length] ?? ''))
    })
  } finally {
    close()
  }
  return phrases.flatMap((_, at) => held.get(at) ?? [])
}
