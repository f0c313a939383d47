import { isCountable, isShallow, isWithinBytes, isWithinNumbers, jsonObject } from '../domain/json.ts'
import { limits } from '../domain/limits.ts'
import { Problem } from '../domain/problem.ts'

/** NUL and lone surrogates. Databases cannot store them, and a deliverable must be returned exactly as submitted. */
const notStorable = /\0|\p{Surrogate}/u

/**
 * Refuses an input that could not be stored exactly.
 * @throws Problem invalid-input, with a pointer
 */
export const checkTexts = (input: unknown): void => {
  if (!isCountable(input)) throw new Problem('invalid-input', `The input contains more than ${limits.jsonValues} values.`)
  if (!isShallow(input)) throw new Problem('invalid-input', `The input is nested more than ${limits.jsonDepth} levels deep.`)
  if (!isWithinNumbers(input)) throw new Problem('invalid-input', 'The input contains a number that is too large.')
  const path = pathToUnstorable(input)
  if (!path) return
  const pointer = path.map(step => `/${step.slice(0, 40).replace(/\p{C}/gu, '?')}`).join('')
  throw new Problem(
    'invalid-input',
    `${pointer}: contains a NUL or an unpaired surrogate, which cannot be stored.`.slice(0, 300),
    pointer,
  )
}

const pathToUnstorable = (value: unknown): string[] | undefined => {
  if (typeof value === 'string') return notStorable.test(value) ? [] : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const path = notStorable.test(key) ? [] : pathToUnstorable(inner)
    if (path) return [key, ...path]
  }
  return undefined
}

/** Free-form metadata that programs add to a record, limited in size. */
export const boundedMetadata = jsonObject
  .refine(it => isWithinBytes(it, limits.metadataBytes), `has at most ${limits.metadataBytes / 1024} KiB as JSON`)
  .nullish()
