import { z } from 'zod'
import { defaultChainId } from '../domain/chains.ts'
import { canonical, sha256 } from '../domain/json.ts'
import { limits } from '../domain/limits.ts'
import { Problem } from '../domain/problem.ts'
import type { Run } from '../ports.ts'
import { type Accepted, acceptMessage } from './acceptMessage.ts'
import { awaitRun } from './awaitRun.ts'
import { type Caller, type Deps, operation, userOf } from './operation.ts'
import { runRecord, toRunRecord } from './runRecord.ts'

const words = z.string().max(limits.messageChars).nullish()

/** A message to the butler; existing clients call the text message, objective or text. */
export const invokeInput = z
  .object({
    message: words,
    objective: words,
    text: words,
    chain_id: z.number().int().nullish(),
    conversation_id: z.string().max(200).nullish(),
    context: z
      .object({
        conversation_id: z.string().max(200).nullish(),
        metadata: z.object({ chain_id: z.number().int().nullish() }).loose().nullish(),
      })
      .loose()
      .nullish(),
    wait_ms: z.number().int().min(0).max(limits.invokeWaitMs).nullish().describe('How long to wait for a running job'),
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

export const invoke = operation({
  name: 'invoke',
  summary: 'Tell the butler a task, answer its question, or say yes or no to its proposal.',
  caller: 'user',
  input: invokeInput,
  output: invokeOutput,

  async run(input, deps, caller) {
    const { runId } = await takeMessage(input, deps, caller)
    const deadline = deps.clock.now() + (input.wait_ms ?? limits.invokeWaitMs)
    const run = await awaitRun(deps, runId, { deadline, caller })
    if (!run) throw new Problem('run-not-found')
    return toInvokeAnswer(run, deps)
  },
})

/** Records the message; with an idempotency key the same request again belongs to the same run. */
export const takeMessage = async (input: InvokeInput, deps: Deps, caller: Caller): Promise<Accepted> => {
  const user = userOf(caller)
  const text = (input.message ?? input.objective ?? input.text ?? '').trim()
  if (!text) throw new Problem('invalid-input', 'Say something: message is empty.', '/message')
  const named = input.context?.conversation_id ?? input.conversation_id ?? undefined
  const chainId = input.chain_id ?? input.context?.metadata?.chain_id ?? defaultChainId
  const request = caller.idempotencyKey && {
    scope: `invoke:${user}`,
    key: caller.idempotencyKey,
    hash: sha256(canonical({ text, chainId, conversation: named ?? '' })),
  }
  return acceptMessage(deps, {
    user,
    text,
    chainId,
    conversationId: named ?? deps.ids.fresh('conversation'),
    request: request || undefined,
  })
}

const failedWords = (run: Run) => (run.state === 'failed' ? run.answer : '')

export const toInvokeAnswer = async (run: Run, { store }: Pick<Deps, 'store'>): Promise<z.infer<typeof invokeOutput>> => {
  const job = run.jobId ? await store.job(run.jobId) : undefined
  const waiting = run.state === 'awaiting-job' || run.state === 'working'
  return {
    run_id: run.id,
    agent_id: job?.agentId ?? '',
    success: run.state !== 'failed',
    content: waiting ? `${run.answer || 'Working on it.'} Look at /runs/${run.id} for how it goes on.` : run.answer,
    data: toRunRecord(run, job),
    error: failedWords(run),
    payments: [],
    conversation_id: run.conversationId,
    role: 'agent',
  }
}
