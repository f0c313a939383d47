import { z } from 'zod'
import type { Update } from './state.ts'

/** A user's reply to an open question or proposal: words, or a decision with the digest of the terms. */
export const saying = z.union([
  z.object({
    kind: z.literal('said'),
    text: z.string(),
    digest: z.string(),
    isLapsed: z.boolean(),
    mayAgree: z.boolean(),
    interruptId: z.string(),
  }),
  z.object({ kind: z.literal('answer'), text: z.string() }),
  z.object({
    kind: z.literal('decision'),
    /** `replaced`: a newer proposal of the conversation took the place of this one. */
    decision: z.enum(['yes', 'no', 'change', 'lapsed', 'replaced']),
    digest: z.string(),
    text: z.string(),
  }),
])
export type Saying = z.infer<typeof saying>

/** Stores the words of a reply for the node `understand`. */
export const toHeard = (it: Saying): Update => {
  const { text } = it
  const heard =
    it.kind === 'said'
      ? { text, digest: it.digest, isLapsed: it.isLapsed, mayAgree: it.mayAgree, interruptId: it.interruptId }
      : { text, digest: '', isLapsed: false, mayAgree: false, interruptId: '' }
  return { heard, words: text, content: '', notice: '', isAnswered: false, decision: undefined }
}
