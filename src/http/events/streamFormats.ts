import { z } from 'zod'
import { toIso } from '../../domain/durations.ts'
import type { Problem } from '../../domain/problem.ts'
import type { RunEvent, RunEventKind } from '../../domain/runs/runEvent.ts'
import type { InvokeOutput } from '../../operations/messages/invoke.ts'
import { toEventRecord } from '../../operations/runs/readRun.ts'

/** One event of a stream, before it is serialized as JSON. */
export type StreamEvent = Record<string, unknown>

/**
 * Converts the event log of a run to the stream format of one kind of client. `begin` is sent first and `event` for each event
 * of the log. Exactly one of `end` and `fail` is sent last: a client that receives neither sends its message again.
 */
export type StreamFormat = {
  begin?(runId: string): StreamEvent[]
  event(it: RunEvent): StreamEvent[]
  end(answer: InvokeOutput): StreamEvent[]
  fail(problem: Problem, runId: string): StreamEvent[]
}

// The final event contains the question, the proposal or the result, so these events are not sent as progress.
const inClosing = new Set<RunEventKind>(['message', 'declined', 'asked', 'proposed', 'answer'])
const onlyProgress =
  (tell: (it: RunEvent) => StreamEvent[]): StreamFormat['event'] =>
  it =>
    inClosing.has(it.kind) ? [] : tell(it)

/** The format of `/invoke/stream` and `/invoke/{agent}/stream`: flat objects; `run_completed` or `run_error` is last. */
export const commandLine: StreamFormat = {
  event: onlyProgress(it => [toEventRecord(it)]),
  end: answer =>
    answer.success
      ? [{ type: 'run_completed', summary: answer.content, output: answer.content, ...answer }]
      : [{ type: 'run_error', ...answer }],
  fail: ({ detail, type }, runId) => [{ type: 'run_error', run_id: runId, error: detail, code: type }],
}

/** The format of `/runs/stream`: an envelope whose payload is never null; `run_completed` or `run.failed` is last. */
export const softwareKit: StreamFormat = {
  event: onlyProgress(it => [
    envelope({
      eventType: it.kind === 'job.leased' || it.kind === 'called' ? 'agent_invoked' : it.kind,
      runId: it.runId,
      at: it.at,
      payload: { summary: it.summary, ...it.data },
    }),
  ]),
  end: answer => {
    const { run_id: runId, content, success, error, data } = answer
    if (!success) return [envelope({ eventType: 'run.failed', runId, payload: { message: error } })]
    const payload = { output: content, summary: content, state: data.state, data }
    return [envelope({ eventType: 'run_completed', runId, payload })]
  },
  fail: ({ detail, type }, runId) => [envelope({ eventType: 'run.failed', runId, payload: { message: detail, code: type } })],
}

type Enveloped = { eventType: string; runId: string; at?: number; payload: StreamEvent }

const envelope = ({ eventType, runId, at, payload }: Enveloped): StreamEvent => ({
  eventType,
  runId,
  timestamp: (at === undefined ? new Date() : new Date(at)).toISOString(),
  payload,
})

/** The input of an AG-UI client. `threadId` is the conversation; the last user message is the new message. */
export const agUiInput = z
  .object({
    threadId: z.string().max(200),
    runId: z.string().max(200),
    messages: z.array(z.object({ role: z.string(), content: z.unknown().optional() }).loose()).default([]),
    resume: z
      .array(
        z.object({ interruptId: z.string(), status: z.enum(['resolved', 'cancelled']), payload: z.unknown().optional() }).loose(),
      )
      .nullish(),
  })
  .loose()
export type AgUiInput = z.infer<typeof agUiInput>

/**
 * An answer as words, or as the value of a form with one button. Whatever else a client sends is told as it is, and agrees to
 * nothing.
 */
const spoken = z.union([
  z.object({ text: z.string() }).transform(it => it.text),
  z.object({ decision: z.string() }).transform(it => it.decision),
  z.object({ approved: z.boolean() }).transform(it => (it.approved ? 'yes' : 'no')),
  z.boolean().transform(it => (it ? 'yes' : 'no')),
  z.string(),
])
const part = z.array(z.object({ type: z.literal('text'), text: z.string() }).loose())

/** The digest of the proposal that the input answers. Undefined when it answers a question or no interrupt. */
export const digestOf = ({ resume }: AgUiInput): string | undefined => resume?.[0]?.interruptId.split(':')[1]

/** The text of the input: the answer to an interrupt if there is one, otherwise the newest user message. */
export const wordsOf = (input: AgUiInput): string => {
  const { messages, resume } = input
  const [answer] = resume ?? []
  if (answer) {
    if (answer.status === 'cancelled') return 'no'
    // A client that names the proposal by its digest, and resolves it without more, agrees.
    if (answer.payload == null) return digestOf(input) ? 'yes' : ''
    return spoken.safeParse(answer.payload).data ?? JSON.stringify(answer.payload)
  }
  const content = messages.findLast(it => it.role === 'user')?.content
  if (typeof content === 'string') return content
  const parts = part.safeParse(content)
  return parts.success ? parts.data.map(it => it.text).join('\n') : ''
}

const toCustom = onlyProgress(it => [{ type: 'CUSTOM', name: it.kind, value: toEventRecord(it), timestamp: it.at }])

/**
 * The format of AG-UI 1.0 (docs.ag-ui.com). Progress is sent as custom events and the answer as a text message. A proposal or
 * question for the user is an interrupt.
 */
export const agUi = ({ threadId, runId }: Pick<AgUiInput, 'threadId' | 'runId'>): StreamFormat => {
  const words = createWords()
  return {
    begin: ours => [
      { type: 'RUN_STARTED', threadId, runId },
      { type: 'CUSTOM', name: 'run', value: { run_id: ours } },
    ],
    event: it => (it.kind === 'words' ? words.add(it) : toCustom(it)),
    end: answer => {
      if (!answer.success) return [...words.close(), { type: 'RUN_ERROR', message: answer.error }]
      return [
        ...words.finish(answer.content, `${answer.run_id}:${answer.data.state}`),
        { type: 'STATE_SNAPSHOT', snapshot: answer.data },
        { type: 'RUN_FINISHED', threadId, runId, outcome: outcomeOf(answer) },
      ]
    },
    fail: ({ detail, type }) => [...words.close(), { type: 'RUN_ERROR', message: detail, code: type }],
  }
}

/** The text messages of one stream: the words of a model as they come, which the answer goes on or follows. */
const createWords = () => {
  let [open, told] = ['', '']
  const start = (messageId: string) => ({ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' })
  const say = (messageId: string, delta: string) => (delta ? [{ type: 'TEXT_MESSAGE_CONTENT', messageId, delta }] : [])
  const close = () => (open === '' ? [] : [{ type: 'TEXT_MESSAGE_END', messageId: open }])
  return {
    close,
    add: ({ runId, seq, summary }: RunEvent): StreamEvent[] => {
      const isFirst = open === ''
      if (isFirst) open = `${runId}:${seq}`
      const delta = isFirst ? summary : ` ${summary}`
      told += delta
      return [...(isFirst ? [start(open)] : []), ...say(open, delta)]
    },
    finish: (content: string, messageId: string): StreamEvent[] => {
      if (open !== '' && content.startsWith(told)) return [...say(open, content.slice(told.length)), ...close()]
      return [...close(), start(messageId), ...say(messageId, content), { type: 'TEXT_MESSAGE_END', messageId }]
    },
  }
}

const outcomeOf = ({ run_id, content, data }: InvokeOutput): StreamEvent => {
  const waits = data.state === 'awaiting-confirmation' || data.state === 'awaiting-input'
  if (!waits) return { type: 'success' }
  const terms = data.proposal ?? data.purchase ?? data.plan
  return {
    type: 'interrupt',
    interrupts: [
      {
        id: terms ? `${run_id}:${terms.digest}` : run_id,
        reason: data.state,
        message: content,
        ...(terms && { expiresAt: toExpiry(terms), metadata: { digest: terms.digest } }),
      },
    ],
  }
}

type Terms = NonNullable<InvokeOutput['data']['proposal' | 'purchase' | 'plan']>
const toExpiry = (terms: Terms): string => ('steps' in terms ? terms.lapses_at : toIso(terms.lapsesAt))
