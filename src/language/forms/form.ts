// A form is the way a value is written. A recogniser finds the values of one form in a text and knows nothing of any field.

/** A value in a text. `values` are the ways to write it, the said one first. */
export type Span = { form: string; from: number; to: number; values: readonly string[] }

export type Recogniser = {
  form: string
  /** @param now ms since 1970; a value without its year counts from it */
  find(text: string, now?: number): Span[]
  /** Texts with what is found in them, as said. */
  examples: Record<string, readonly string[]>
  /** Texts in which nothing is found. */
  counterExamples: readonly string[]
}

type ByPattern = Omit<Recogniser, 'find'> & {
  pattern: RegExp
  /** Whether a match is a value. Most patterns need no further check. */
  isReal?(said: string): boolean
  /** Other ways to write the value. */
  alike?(said: string): readonly string[]
}

/** Most values of one form that are read in one message. */
const mostSpans = 40

/** Creates a recogniser from a pattern. A group named `it` is the value; without one the whole match is. */
export const byPattern = ({ pattern, isReal = () => true, alike = () => [], ...of }: ByPattern): Recogniser => ({
  ...of,
  find: text => {
    const found: Span[] = []
    for (const match of text.matchAll(pattern)) {
      const said = match.groups?.it ?? match[0]
      const from = match.index + match[0].lastIndexOf(said)
      if (isReal(said)) found.push({ form: of.form, from, to: from + said.length, values: [said, ...alike(said)] })
      if (found.length >= mostSpans) break
    }
    return found
  },
})
