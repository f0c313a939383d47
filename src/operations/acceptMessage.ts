import { z } from 'zod'
import { readConsent } from '../domain/consent.ts'
import type { Address } from '../domain/hex.ts'
import type { Run, RunInput, Tables } from '../ports.ts'
import { once, type RequestKey } from './once.ts'
import { chainOf, type Deps } from './operation.ts'

export type Said = { user: Address; conversationId: string; chainId: number; text: string; request?: RequestKey | undefined }

/** The run that a message belongs to, and the last event of that run before the message. */
const accepted = z.object({ runId: z.string(), afterSeq: z.number() })
export type Accepted = z.infer<typeof accepted>

/** Takes a user's message: as the answer to the run of the conversation that waits for one, else as a new task. */
export const acceptMessage = async (deps: Deps, said: Said): Promise<Accepted> => {
  chainOf(deps, said.chainId)
  return deps.store.atomically(tables =>
    once(tables, { request: said.request, answer: accepted }, async () => {
      const waiting = await tables.waitingRun(said.conversationId, said.user)
      if (waiting?.interruptId)
        return answerRun(tables, { run: waiting, interruptId: waiting.interruptId, said, now: deps.clock.now() })
      return (await repeatedConsent(tables, said)) ?? startRun(tables, deps.ids.fresh('run'), said)
    }),
  )
}

type Answer = { run: Run; interruptId: string; said: Said; now: number }

const answerRun = async (tables: Tables, { run, interruptId, said, now }: Answer): Promise<Accepted> => {
  const first = await tables.addRunInput(run.id, interruptId, toInput(run, said.text, now))
  // Somebody answered a moment earlier: their answer stands, and this one hears what came of it.
  if (!first) return { runId: run.id, afterSeq: 0 }
  await tables.addMessage(said.conversationId, said.user, { role: 'user', content: said.text, runId: run.id })
  return { runId: run.id, afterSeq: run.lastSeq }
}

const toInput = (run: Run, text: string, now: number): RunInput => {
  if (run.state === 'awaiting-input' || !run.proposal) return { kind: 'answer', text }
  const decision = readConsent(text)
  const lapsed = decision === 'yes' && run.proposal.lapsesAt < now
  return { kind: 'decision', decision: lapsed ? 'lapsed' : decision, digest: run.proposal.digest, text }
}

/** A yes that is said again while the hire is under way belongs to that hire: saying yes twice hires once. */
const repeatedConsent = async (tables: Tables, { user, conversationId, text }: Said): Promise<Accepted | undefined> => {
  if (readConsent(text) === 'change') return undefined
  const newest = await tables.newestRun(conversationId, user)
  return newest && (newest.state === 'working' || newest.state === 'awaiting-job') ? { runId: newest.id, afterSeq: 0 } : undefined
}

const startRun = async (tables: Tables, id: string, { user, conversationId, chainId, text }: Said): Promise<Accepted> => {
  await tables.addRun({ id, conversationId, user, chainId, task: text })
  await tables.addMessage(conversationId, user, { role: 'user', content: text, runId: id })
  await tables.addRunEvent(id, { kind: 'message', summary: text, data: { role: 'user' }, key: 'message' })
  await tables.wakeRun(id)
  return { runId: id, afterSeq: 0 }
}
