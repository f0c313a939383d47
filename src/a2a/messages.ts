import type { Message, Part, SendMessageRequest } from '@a2a-js/sdk'
import { ContentTypeNotSupportedError, RequestMalformedError, UnsupportedOperationError } from '@a2a-js/sdk/errors'
import { z } from 'zod'
import { readConsent } from '../domain/consent/readConsent.ts'
import { sentDigest } from '../domain/consent/sentDigest.ts'
import { nobody } from '../domain/hex.ts'
import { limits } from '../domain/limits.ts'
import { toOffer } from '../domain/x402/purchaseProposal.ts'
import { checkTexts } from '../operations/checkTexts.ts'
import { acceptMessage } from '../operations/hires/acceptMessage.ts'
import { confirmHire } from '../operations/hires/confirmHire.ts'
import { type Caller, type Deps, preselectedChainOf } from '../operations/operation.ts'
import { awaitRun } from '../operations/runs/awaitRun.ts'
import { ownRun } from '../operations/runs/readRun.ts'
import type { Run } from '../ports.ts'
import { modes } from './card.ts'
import { readFileParts, withFiles } from './files.ts'
import { isTerminal, toState } from './task.ts'

/** The answer to a proposal as a data part. */
const consent = z.object({ decision: z.enum(['yes', 'no']), digest: sentDigest })

const agreeing = 'Agree with a data part {"decision": "yes", "digest": "…"}; the digest is in the proposal of the task.'
/** Time in ms to wait for a working task that gets a message. */
const settleMs = 5_000

/** The run that a message belongs to, and the last event before the message. */
type Taken = { runId: string; afterSeq: number }

/**
 * Records a message for the butler: as a new run, or as the answer that its task waits for. A yes in words agrees to nothing,
 * because the sender may be a model; the data of a consent does.
 * @throws A2AError, and the Problems of acceptMessage and confirmHire
 */
export const takeMessage = async ({ message, metadata }: SendMessageRequest, deps: Deps, caller: Caller): Promise<Taken> => {
  if (!message) throw new RequestMalformedError('message is required.')
  const texts = message.parts.map(({ content }) => content?.$case !== 'raw' && content?.value)
  checkTexts({ texts, ids: [message.contextId, message.taskId] })
  const files = readFileParts(message.parts, deps)
  const said = readParts(message, files.length > 0)
  caller.charge?.(limits.messageWorkMs)
  const run = message.taskId ? await openTask(message, deps, caller) : undefined
  if (said.consent) {
    if (!run) throw new RequestMalformedError('A decision belongs to a task: send its taskId.')
    await confirmHire.call({ run_id: run.id, ...said.consent, wait_ms: 0 }, deps, caller)
    return { runId: run.id, afterSeq: run.lastSeq }
  }
  const offer = run?.proposal && toOffer(run.proposal)
  if (run?.state === 'awaiting-confirmation' && readConsent(said.text, offer) === 'yes') throw new RequestMalformedError(agreeing)
  const user = caller.wallet ?? nobody
  const chainId = z.object({ chain_id: z.number().int() }).safeParse(metadata).data?.chain_id
  return acceptMessage(deps, {
    user,
    text: await withFiles(deps, { text: said.text, files }, caller),
    conversationId: run?.conversationId ?? contextOf(message, deps, caller),
    chainId: run?.chainId ?? chainId ?? preselectedChainOf(deps),
    source: user === nobody ? caller.source : undefined,
    asksOnly: true,
  })
}

/** A caller without a token has no context: each of its messages is a task of its own. */
const contextOf = ({ contextId }: Message, deps: Deps, { wallet }: Caller): string => {
  if (contextId && !wallet) throw new RequestMalformedError('A context needs a token. Leave contextId out, or send a token.')
  if (contextId.length > 200) throw new RequestMalformedError('A contextId has at most 200 characters.')
  return contextId || deps.ids.fresh('conversation')
}

/** The task that a message continues. */
const openTask = async ({ taskId, contextId }: Message, deps: Deps, caller: Caller): Promise<Run> => {
  const { id, conversationId } = await ownRun(deps, taskId, caller)
  if (contextId && contextId !== conversationId) throw new RequestMalformedError('The task belongs to another context.')
  const run = await awaitRun(deps, id, { deadline: deps.clock.now() + settleMs, caller })
  if (!run.interruptId) {
    const job = run.jobId ? await deps.store.job(run.jobId) : undefined
    const isEnded = isTerminal(toState(run, job))
    throw new UnsupportedOperationError(
      isEnded ? 'The task has ended. Send a message without taskId.' : 'The task is working and asks nothing.',
    )
  }
  return run
}

const readParts = ({ parts }: Message, hasFiles: boolean): { text: string; consent?: z.infer<typeof consent> } => {
  if (parts.length === 0) throw new RequestMalformedError('message.parts is empty.')
  for (const it of parts) checkMedia(it)
  const decided = parts.flatMap(({ content }) => (content?.$case === 'data' ? (consent.safeParse(content.value).data ?? []) : []))
  const [first] = decided
  if (first) return { text: first.decision, consent: first }
  const text = parts.map(wordsOf).join('\n').trim()
  if (!text && !hasFiles) throw new RequestMalformedError('The message is empty.')
  if (text.length > limits.messageChars)
    throw new RequestMalformedError(`A message has at most ${limits.messageChars} characters.`)
  return { text }
}

const checkMedia = ({ content, mediaType }: Part) => {
  const isFile = content?.$case === 'raw' || content?.$case === 'url'
  if (!isFile && mediaType && !modes.includes(mediaType)) throw new ContentTypeNotSupportedError(`Send ${modes.join(' or ')}.`)
}

const wordsOf = ({ content }: Part): string => {
  if (content?.$case === 'text') return content.value
  return content?.$case === 'data' ? (JSON.stringify(content.value) ?? '') : ''
}
