import { z } from 'zod'
import { type JsonObject, jsonObject } from '../../../src/domain/json.ts'
import type { Answer, Call } from './service.ts'

const job = z.object({ job_id: z.string(), agent_id: z.string(), state: z.string(), amount: z.string() })
const planned = z.object({
  ...{ agent_handle: z.string(), input: z.string() },
  ...{ job_id: z.string().optional(), run_id: z.string().optional() },
})
const data = z
  .object({
    ...{ run_id: z.string(), state: z.string(), act: z.string(), job },
    choices: z.array(z.object({ agent_handle: z.string() })),
    proposal: z.object({
      ...{ input: z.string(), agentHandle: z.string(), total: z.string() },
      alternatives: z.array(z.object({ agentHandle: z.string() })).default([]),
    }),
    plan: z.object({ total: z.string(), steps: z.array(planned) }),
    questions: z.array(z.object({ field: z.string() })),
  })
  .partial()
type Data = z.infer<typeof data>
const reply = z.object({ content: z.string(), data })
const runRecord = z.object({ content: z.string(), state: z.string(), job: job.optional() })
const events = z.array(z.object({ type: z.string(), data: z.object({ agent_id: z.string().optional() }) }))

/** The state of a running conversation. */
export type Talk = {
  call: Call
  token: string
  handles: ReadonlyMap<string, string>
  /** The run of each job, in the order of the jobs. */
  jobs: Map<string, string>
  /** The input of the newest proposal. */
  shown: JsonObject | undefined
  said: string[]
  /** What plans of the conversation hired: the input by the agent. */
  planned: Map<string, JsonObject>
}

/** The checked parts of the answer to one turn. */
export type Heard = {
  status: number
  words: string
  data: Data
  outcome: string
  agents: string[]
  asked: string[]
  input?: JsonObject | undefined
  /** The steps of a plan, each of which may be what was expected. */
  steps?: { agent: string; input: JsonObject }[]
  total?: string
}

const inputOf = (text: string): JsonObject => {
  try {
    return jsonObject.parse(JSON.parse(text))
  } catch {
    return { text }
  }
}

/** The agent for which a question is asked: the last one chosen in the log of the run. */
const askedAgent = async ({ run_id }: Data, { call, token, handles }: Talk): Promise<string[]> => {
  const { body } = await call(`/runs/${run_id}/events`, { token })
  const chosen = events
    .catch([])
    .parse(body)
    .findLast(it => it.type === 'chosen')?.data.agent_id
  return chosen ? [handles.get(chosen) ?? chosen] : []
}

const readRun = async ({ call, token }: Talk, runId: string) => runRecord.parse((await call(`/runs/${runId}`, { token })).body)

/** The state of the conversation's newest job. */
export const lastJob = async (talk: Talk) => {
  const runId = [...talk.jobs.values()].at(-1)
  return runId ? readRun(talk, runId) : undefined
}

export const allJobs = (talk: Talk) => Promise.all([...talk.jobs.values()].map(it => readRun(talk, it)))

/** A plan that waits for its yes, or that has opened a job since the last answer. Undefined for every other one. */
const hearPlan = (plan: NonNullable<Data['plan']>, state: string | undefined, talk: Talk) => {
  const steps = plan.steps.map(it => ({ agent: it.agent_handle, input: inputOf(it.input) }))
  const opened = plan.steps.filter(it => it.job_id && it.run_id && !talk.jobs.has(it.job_id))
  for (const { job_id = '', run_id = '', agent_handle, input } of opened) {
    talk.jobs.set(job_id, run_id)
    talk.planned.set(agent_handle, inputOf(input))
  }
  const of = { steps, agents: steps.map(it => it.agent) }
  if (opened.length > 0) return { ...of, outcome: 'hired' }
  return state === 'awaiting-confirmation' ? { ...of, outcome: 'proposal', total: plan.total } : undefined
}

/** Classifies an answer: a hire, a proposal, a question, a choice, or plain text. */
export const listen = async ({ status, body }: Answer, talk: Talk): Promise<Heard> => {
  const read = reply.safeParse(body)
  if (status >= 400 || !read.success)
    return { status: Math.max(status, 400), words: JSON.stringify(body), data: {}, outcome: 'error', agents: [], asked: [] }
  const { content: words, data: it } = read.data
  const heard = { status, words, data: it, agents: [], asked: [] }
  const plan = it.plan && hearPlan(it.plan, it.state, talk)
  if (plan) return { ...heard, ...plan }
  if (it.job && it.run_id && !talk.jobs.has(it.job.job_id)) {
    talk.jobs.set(it.job.job_id, it.run_id)
    return { ...heard, outcome: 'hired', agents: [talk.handles.get(it.job.agent_id) ?? ''], input: talk.shown }
  }
  if (it.choices && it.choices.length > 0)
    return { ...heard, outcome: 'choices', agents: it.choices.map(one => one.agent_handle) }
  if (it.proposal && it.state === 'awaiting-confirmation') {
    talk.shown = inputOf(it.proposal.input)
    return { ...heard, outcome: 'proposal', agents: [it.proposal.agentHandle], input: talk.shown, total: it.proposal.total }
  }
  if (it.state === 'awaiting-input' && it.questions && it.questions.length > 0)
    return { ...heard, outcome: 'ask', agents: await askedAgent(it, talk), asked: it.questions.map(one => one.field) }
  return { ...heard, outcome: it.act === 'none' ? 'none' : 'answer' }
}
