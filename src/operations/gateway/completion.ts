import type { z } from 'zod'
import type { NamedFile } from '../../domain/files/namedFile.ts'
import { isNamedBySchema } from '../../domain/jobs/acceptance.ts'
import { describeWrapping, type Examined } from '../../domain/jobs/deliverable.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import type { Completion, completionMessage } from '../../records/delivery.ts'
import { type Judged, judgeNow } from '../hires/judgeDeliverable.ts'

/** Maximum length of an agent's failure message shown to the user, in characters. */
export const failureChars = 300

/** Returns the result of the schema check at once, with all validation errors. The butler applies the same rules later. */
export const evaluate = (job: Judged, examined: Examined, files?: readonly NamedFile[]) => {
  const findings = judgeNow({ ...job, deliverable: examined.sent }, examined, files)
  const checks = findings.filter(it => it.kind === 'check' && it.outcome === 'fail' && !isNamedBySchema(it))
  const faults = [...new Set([...examined.verdict.errors, ...checks.map(it => it.evidence)])]
  const note = describeWrapping(examined)
  return { pass: faults.length === 0, errors: faults, ...(note && { note }) }
}

const failedStates = new Set(['failed', 'canceled', 'rejected'])

/**
 * Interprets a completion by its content, because existing clients report a failed handler as "completed".
 * @throws Problem invalid-input without a deliverable or failure, body-too-large; the lease stays, so the agent may send it again
 */
export const outcomeOf = (completion: Completion): { deliverable: string; failure?: string } => {
  const { status, error } = completion
  const { response, task: done } = resultOf(completion)
  const state = done?.status?.state
  if (status === 'failed' || (state && failedStates.has(state)))
    return { deliverable: '', failure: error ?? textOf(done?.status?.message) ?? 'no reason given' }
  const deliverable = textOfDeliverable(completion.deliverable) || response || lastText(done?.history)
  if (deliverable && Buffer.byteLength(deliverable) > limits.deliverableBytes)
    throw new Problem('body-too-large', 'A deliverable has at most 256 KiB.')
  if (deliverable) return { deliverable }
  if (error) return { deliverable: '', failure: error }
  const said = [completion.deliverable, response, done].some(it => it !== null && it !== undefined)
  if (!said) throw new Problem('invalid-input', nothingSaid, '/deliverable')
  return { deliverable: '', failure: 'the deliverable was empty' }
}

const nothingSaid =
  'No deliverable was found. Send it as text in deliverable or result.response, or send status "failed" with error.'

const resultOf = ({ result: it }: Completion) => (typeof it === 'string' ? { response: it, task: undefined } : (it ?? {}))
const textOfDeliverable = (it: Completion['deliverable']) => (typeof it === 'string' ? it : it && JSON.stringify(it))

const textOf = (it: z.infer<typeof completionMessage> | null | undefined) => it?.parts?.find(each => each.text)?.text
const lastText = (history: z.infer<typeof completionMessage>[] | undefined) =>
  textOf(history?.filter(it => it.role !== 'user').at(-1))
