import { z } from 'zod'
import { splitFileLinks } from '../../src/domain/files/fileLinks.ts'
import { givenFile } from '../../src/domain/files/namedFile.ts'
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

/** Stores the words of a reply, and the files that it names, for the node `understand`. */
export const toHeard = (it: Saying): Update => {
  const { words: text, files } = splitFileLinks(it.text)
  const said =
    it.kind === 'said'
      ? { text, digest: it.digest, isLapsed: it.isLapsed, mayAgree: it.mayAgree, interruptId: it.interruptId }
      : { text, digest: '', isLapsed: false, mayAgree: false, interruptId: '' }
  const heard = { ...said, ...(files.length > 0 && { files: files.map(it => givenFile.parse(it)) }) }
  return { heard, words: text, content: '', notice: '', isAnswered: false, decision: undefined }
}
