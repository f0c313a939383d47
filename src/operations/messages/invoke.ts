import { z } from 'zod'
import { type AgentId, parseHandle } from '../../domain/agents/agentId.ts'
import { nobody } from '../../domain/hex.ts'
import { isFinal } from '../../domain/jobs/job.ts'
import { limits } from '../../domain/limits.ts'
import { sayIn } from '../../domain/phrases/sayIn.ts'
import { Problem, SaleProblem } from '../../domain/problem.ts'
import { isPlan } from '../../domain/x402/purchaseProposal.ts'
import { tellLanguage } from '../../language/words/language.ts'
import type { Job, Run, StoredPlan } from '../../ports.ts'
import { runRecord } from '../../records/run.ts'
import { resolveAgent } from '../agents/resolveAgent.ts'
import { butlerHandle } from '../butler/butler.ts'
import type { Selling } from '../deps.ts'
import { withFilesOf } from '../files/filesOfMessage.ts'
import { startCall } from '../gateway/calls.ts'
import { findQueue, type Queue } from '../gateway/taskQueue.ts'
import { type Accepted, acceptMessage } from '../hires/acceptMessage.ts'
import { toRequestKey } from '../once.ts'
import { type Caller, type Deps, operation, preselectedChainOf } from '../operation.ts'
import { awaitRunWith } from '../runs/awaitRun.ts'
import { readPlanRecord } from '../runs/planRecord.ts'
import { toRunRecord } from '../runs/runRecord.ts'

const words = z.string().max(limits.messageChars).nullish()

/** A message to the butler. Existing clients call its text message, objective or text. */
export const invokeInput = z
  .object({
    message: words,
    objective: words,
    text: words,
    agent: z.string().max(200).nullish().describe('Id or handle of an agent to call directly; the butler when absent'),
    digest: z
      .string()
      .max(100)
      .nullish()
      .describe('Digest of the proposal that this answers; refused when the terms have changed'),
    files: z.array(z.string().max(100)).max(limits.filesOfJob).nullish().describe('Ids of uploaded files that the task is about'),
    chain_id: z.number().int().nullish(),
    time_zone: z
      .string()
      .max(100)
      .nullish()
      .describe(
        'IANA time zone of the user, such as Europe/Berlin: times in inputs without a zone are in it, else in UTC. A deadline such as “by 6pm” is in UTC',
      ),
    conversation_id: z.string().max(200).nullish(),
    context: z
      .object({
        conversation_id: z.string().max(200).nullish(),
        metadata: z.object({ chain_id: z.number().int().nullish() }).loose().nullish(),
      })
      .loose()
      .nullish(),
    wait_ms: z.number().int().min(0).max(limits.invokeWaitMs).nullish().describe('Milliseconds to wait for a running job'),
  })
  .loose()
type InvokeInput = z.infer<typeof invokeInput>

export const invokeOutput = z.object({
  run_id: z.string(),
  agent_id: z.string(),
  success: z.boolean(),
  content: z.string(),
  data: runRecord,
  error: z.string(),
  payments: z.array(z.json()),
  conversation_id: z.string(),
  role: z.literal('agent'),
})

export type InvokeOutput = z.infer<typeof invokeOutput>

export const invoke = operation({
  name: 'invoke',
  summary:
    'Send the butler a task, an answer to its question, or a yes or no to its proposal. ' +
    'Without a token it hires nothing that costs money.',
  caller: 'anyone',
  scope: 'hire',
  input: invokeInput,
  output: invokeOutput,

  responseOf: ({ payments }, { selling }) => ({ status: 200, headers: selling?.headersOf(payments[0]) ?? {} }),

  async run(input, deps, caller) {
    if (caller.payment !== undefined && input.agent && deps.selling)
      return invokePaid({ ...input, agent: input.agent }, { ...deps, selling: deps.selling }, caller)
    const { runId, isBegun } = await takeMessage(input, deps, caller).catch((error: unknown) => withPrice(error, input, deps))
    const deadline = deps.clock.now() + (input.wait_ms ?? limits.invokeWaitMs)
    const beside = () => Promise.all([deps.store.jobOfRun(runId), deps.store.plan(runId)])
    const { run, rows } = await awaitRunWith(deps, runId, { deadline, caller, isBegun, beside })
    return toInvokeAnswer(run, deps, rows)
  },
})

/** Adds the price of a call to its refusal, where calls of the agent are sold. @throws PaymentProblem, or the error itself */
const withPrice = async (error: unknown, { agent }: InvokeInput, deps: Deps): Promise<never> => {
  const price = error instanceof SaleProblem && agent ? await deps.selling?.refusalOf(agent, deps) : undefined
  throw price ?? error
}

/** Makes a direct call that the request itself pays (x402), at the agent's call price. */
const invokePaid = async (
  input: InvokeInput & { agent: string },
  deps: Deps & { selling: Selling },
  caller: Caller,
): Promise<InvokeOutput> => {
  const paid = await deps.selling.buy({ agent: input.agent, body: { message: textOf(input) } }, deps, caller)
  const run = await deps.store.run(paid.run_id)
  if (!run) throw new Problem('run-not-found')
  const answer = await toInvokeAnswer(run, deps)
  return { ...answer, content: paid.content || `Working on it. Read ${paid.look_at} for its progress.`, payments: [paid] }
}

const textOf = (input: InvokeInput): string => (input.message ?? input.objective ?? input.text ?? '').trim()

/**
 * Records the message; the same request with the same idempotency key returns the same run. A caller without a token has no
 * conversation: each message is a separate run, in which no one can consent.
 */
export const takeMessage = async (input: InvokeInput, deps: Deps, caller: Caller): Promise<Accepted> => {
  const text = await withFilesOf(deps, { text: textOf(input), ids: input.files ?? [] }, caller)
  if (!text) throw new Problem('invalid-input', 'The message is empty.', '/message')
  caller.charge?.(limits.messageWorkMs)
  const user = caller.wallet ?? nobody
  const named = user === nobody ? undefined : (input.context?.conversation_id ?? input.conversation_id ?? undefined)
  const target = input.agent ? await readTarget(input.agent, deps, caller) : undefined
  const chainId = target?.chainId ?? input.chain_id ?? input.context?.metadata?.chain_id ?? preselectedChainOf(deps)
  const asked = { text, chainId, conversation: named ?? '', target: target?.id ?? input.agent ?? '', digest: input.digest ?? '' }
  const said = {
    user,
    text,
    chainId,
    timeZone: input.time_zone ?? undefined,
    target: target?.id,
    conversationId: named ?? deps.ids.fresh('conversation'),
    request: toRequestKey('invoke', asked, caller),
    source: user === nobody ? caller.source : undefined,
    asksOnly: caller.asksOnly ?? false,
    passkeyAnswer: caller.passkeyAnswer,
  }
  if (target?.queue) return startCall(deps, { ...said, queue: target.queue, name: target.name })
  return acceptMessage(deps, { ...said, digest: input.digest ?? undefined })
}

/** An agent that is called directly. An agent without offerings cannot be hired, so it has a queue. */
type Target = { id: AgentId | undefined; chainId: number | undefined; name: string; queue?: Queue }

/**
 * Returns the called agent; undefined for the caller's own butler.
 * @throws Problem agent-not-found
 */
const readTarget = async (text: string, deps: Deps, { wallet }: Caller): Promise<Target | undefined> => {
  const { handle } = parseHandle(text)
  if (wallet && handle === butlerHandle(wallet)) return undefined
  const agent = await resolveAgent(deps, text)
  const found = { id: agent?.id, chainId: agent?.chainId, name: agent?.handle ?? handle }
  if (agent?.id && (await deps.store.offerings(agent.id)).length > 0) return found
  return { ...found, queue: await findQueue(deps, text) }
}

const wordsOf = ({ user, state, answer }: Run) =>
  user === nobody && state === 'awaiting-confirmation' ? `${answer}\n\nTo hire, ask again with your token.` : answer

const failedWords = (run: Run) => (run.state === 'failed' ? run.answer : '')

type Beside = [Job | undefined, StoredPlan | undefined]

/** Whether rows that were read beside a run are still those of its state. A job that has ended is; a plan is read again. */
const fits = ({ state, jobId, proposal }: Run, [job, plan]: Beside): boolean => {
  if (job) return isFinal(job.state)
  return jobId === undefined && plan === undefined && state !== 'awaiting-job' && !isPlan(proposal)
}

/** The answer to a message, from its run and its job. `beside`: the job and the plan as they were read beside the run. */
export const toInvokeAnswer = async (run: Run, deps: Pick<Deps, 'store' | 'clock'>, beside?: Beside): Promise<InvokeOutput> => {
  const known = beside && fits(run, beside) ? beside : undefined
  const [job, plan] = await Promise.all([
    run.jobId ? (known?.[0] ?? deps.store.job(run.jobId)) : undefined,
    readPlanRecord(deps, run, known && { plan: known[1] }),
  ])
  const waiting = run.state === 'awaiting-job' || run.state === 'working'
  return {
    run_id: run.id,
    agent_id: job?.agentId ?? run.target ?? '',
    success: run.state !== 'failed',
    content: waiting
      ? sayIn(`${run.answer || 'Working on it.'} Read /runs/${run.id} for its progress.`, tellLanguage(run.task) ?? '').text
      : wordsOf(run),
    data: toRunRecord(run, job, plan),
    error: failedWords(run),
    payments: [],
    conversation_id: run.conversationId,
    role: 'agent',
  }
}
