import { randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type MarketAgent, type PeopleConversation, readPeople } from './data.ts'
import { judge } from './judge.ts'
import { type Heard, listen, type Talk } from './listen.ts'
import { inLanes, openMarket } from './providers.ts'
import { type Call, signIn } from './service.ts'
import { withDates } from './values.ts'

export type HeldTurn = {
  name: string
  kind: string
  isFirst: boolean
  say: string
  heard: Heard
  faults: string[]
  wantsAgent: boolean
}

const answerMs = 60_000
/** How long the service may wait for a running job before it answers: providers here deliver within a second. */
const jobWaitMs = 4_000
/** A language model is waited for longer. */
const modelWaitMs = 25_000
const lanes = 4

const converse = async (
  of: { call: Call; handles: ReadonlyMap<string, string>; market: MarketAgent[]; waitMs: number },
  it: PeopleConversation,
) => {
  const { call, handles, market, waitMs } = of
  const token = await signIn(call, randomBytes(16).toString('hex'))
  // Learning is off, because requests learned in one conversation would make the next one easier.
  await call('/v1/learning', { token, body: { enabled: false } })
  const talk: Talk = { call, token, handles, jobs: new Map(), shown: undefined, said: [], planned: new Map() }
  const context = { conversation_id: randomUUID() }
  const turns: HeldTurn[] = []
  for (const [at, { say, expect }] of it.turns.entries()) {
    const message = withDates(say)
    talk.said.push(message)
    const answer = await call('/invoke', { token, body: { message, context, wait_ms: waitMs }, ms: answerMs }).catch(error => ({
      status: 599,
      body: String(error),
    }))
    const heard = await listen(answer, talk)
    const written = [...talk.said, ...market.filter(one => heard.agents.includes(one.handle)).map(one => one.answer)].join('\n')
    const faults = await judge(expect, heard, { talk, written })
    const mayRefuse = expect.outcome.some(one => one === 'none' || one === 'answer')
    const wantsAgent = at === 0 && (expect.agents?.length ?? 0) > 0 && !mayRefuse
    turns.push({ name: `${it.id} ${at + 1}`, kind: it.kind, isFirst: at === 0, say: message, heard, faults, wantsAgent })
  }
  return turns
}

const health = z.object({ model: z.unknown() })

/**
 * Holds the conversations with a service, only those that are fair for its model.
 * @param only ids or kinds
 * @param folder a market and conversations other than those of the project
 */
export const holdAll = async (
  call: Call,
  { only = [], folder, waitMs: patience = jobWaitMs }: { only?: string[]; folder?: URL | undefined; waitMs?: number } = {},
): Promise<HeldTurn[]> => {
  const hasModel = !/rules/.test(JSON.stringify(health.parse((await call('/health')).body).model ?? 'rules'))
  const { market, conversations: all } = await readPeople(folder)
  const wanted = all.filter(it => only.length === 0 || only.includes(it.id) || only.includes(it.kind))
  const fair = wanted.filter(it => it.needs !== (hasModel ? 'no-model' : 'model'))
  const waitMs = hasModel ? modelWaitMs : patience
  const { handles, close } = await openMarket(call, market)
  const held = new Map<string, HeldTurn[]>()
  try {
    await inLanes(fair, lanes, async it => void held.set(it.id, await converse({ call, handles, market, waitMs }, it)))
  } finally {
    close()
  }
  return fair.flatMap(it => held.get(it.id) ?? [])
}
