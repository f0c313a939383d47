import { readdir, readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { RunRecord } from '../../src/records/run.ts'
import { eventsOf, rested, talk } from '../hire/market.ts'
import type { User } from '../service.ts'

const turn = z.strictObject({
  say: z.string(),
  /** The expected state of the run after the turn. */
  state: z.enum(['awaiting-input', 'awaiting-confirmation', 'completed', 'failed']).optional(),
  /** The fields that the answer asks for, in this order. */
  asks: z.array(z.string()).optional(),
  /** Texts that the answer contains. */
  has: z.array(z.string()).optional(),
  /** Values of the proposed input, as JSON text. */
  input: z.record(z.string(), z.json()).optional(),
})
const ends = ['hired-and-settled', 'declined', 'nothing-fits', 'asked-and-left', 'answered', 'refused'] as const
const conversation = z.strictObject({
  name: z.string(),
  tags: z.array(z.string()).min(1),
  turns: z.array(turn).min(1),
  ends: z.enum(ends),
  /** The handle of the hired agent. */
  with: z.string().optional(),
})
export type Conversation = z.infer<typeof conversation>

const here = new URL('.', import.meta.url)

/** Reads every conversation of this folder's .jsonl files, one per line. */
export const readConversations = async (): Promise<Conversation[]> => {
  const files = (await readdir(here)).filter(it => it.endsWith('.jsonl')).sort()
  const texts = await Promise.all(files.map(it => readFile(new URL(it, here), 'utf8')))
  const all = texts.flatMap(it => it.split('\n').filter(Boolean)).map(line => conversation.parse(JSON.parse(line)))
  const names = new Set(all.map(it => it.name))
  if (names.size !== all.length) throw new Error('two conversations have one name')
  return all
}

/** Sends the turns to the service; returns every difference from the expectation. */
export const play = async (user: User, { turns, ...written }: Conversation): Promise<string[]> => {
  const { say } = talk(user)
  const faults: string[] = []
  let run: RunRecord | undefined
  for (const { say: words, state, asks, has = [], input } of turns) {
    const { data } = await say(words)
    run = ['working', 'awaiting-job'].includes(data.state) ? await rested(user, data.run_id) : data
    const { content } = run
    const note = (what: string) => faults.push(`after "${words.slice(0, 60)}": ${what}, but it says: ${content.slice(0, 160)}`)
    if (state && run.state !== state) note(`not ${state} but ${run.state}`)
    for (const it of has) if (!content.includes(it)) note(`no "${it}"`)
    if (asks) {
      const fields = (run.questions ?? []).map(it => it.field)
      if (fields.join() !== asks.join()) note(`asks for ${fields.join() || 'nothing'}, not ${asks.join()}`)
    }
    if (input && run.proposal?.input !== JSON.stringify(input)) note(`input ${run.proposal?.input}, not ${JSON.stringify(input)}`)
  }
  if (!run) return ['nothing was said']
  const ending = await endOf(user, run)
  if (ending.ends !== written.ends) faults.push(`ends ${ending.ends}, not ${written.ends}: ${run.content.slice(0, 200)}`)
  if (ending.with !== written.with) faults.push(`with ${ending.with}, not ${written.with}`)
  return faults
}

/** The end of a conversation, read from its last run. */
const endOf = async (user: User, run: RunRecord): Promise<{ ends: string; with?: string | undefined }> => {
  const events = await eventsOf(user, run.run_id)
  const kinds = new Set(events.map(it => it.type))
  if (run.job)
    return {
      ends: run.job.state === 'settled' ? 'hired-and-settled' : run.job.state,
      with: await handleOf(user, run.job.agent_id),
    }
  if (run.state !== 'completed') return { ends: run.state }
  if (run.content.startsWith('Nothing in the market fits')) return { ends: 'nothing-fits' }
  if (kinds.has('declined')) return { ends: kinds.has('proposed') ? 'declined' : 'asked-and-left' }
  return { ends: run.content.includes('Nothing was hired') ? 'refused' : 'answered' }
}

const agent = z.object({ handle: z.string() })
const handleOf = async ({ client }: User, id: string) => agent.parse(await client.get(`/agents/${id}`)).handle

/** The names of conversations that are known to end otherwise than expected. */
export const readUnmet = async (): Promise<Set<string>> => {
  const lines = (await readFile(new URL('unmet.txt', here), 'utf8')).split('\n')
  return new Set(lines.filter(it => it && !it.startsWith('#')))
}
