import { z } from 'zod'
import type { Update } from './state.ts'

/** What the user says to what stands open: words, or a decision with the digest of its terms. */
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
    decision: z.enum(['yes', 'no', 'change', 'lapsed']),
    digest: z.string(),
    text: z.string(),
  }),
])
export type Saying = z.infer<typeof saying>

/** The words of it, to be read. */
export const toHeard = (it: Saying): Update => {
  const { text } = it
  const heard =
    it.kind === 'said'
      ? { text, digest: it.digest, isLapsed: it.isLapsed, mayAgree: it.mayAgree, interruptId: it.interruptId }
      : { text, digest: '', isLapsed: false, mayAgree: false, interruptId: '' }
  return { heard, words: text, content: '', notice: '', isAnswered: false, decision: undefined }
}
