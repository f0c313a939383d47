import { Problem } from '../domain/problem.ts'
import type { Caller } from './operation.ts'

/**
 * The entity tag of a record (RFC 9110, 8.8.3): of what can be changed in it. Figures that are told beside it come and go without
 * a change, so that nobody's change is refused because of them.
 */
export const toTag = ({ version }: { version: number }): string => `"${version}"`

const entityTags = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g

/**
 * Lets a change go on whose caller said no state, any state, or the one that stands; weak tags fit none (RFC 9110, 13.1.1).
 * @throws Problem precondition-failed
 */
export const requireMatch = ({ ifMatch }: Pick<Caller, 'ifMatch'>, standing: { version: number }): void => {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  if (!ifMatch.match(entityTags)?.includes(toTag(standing))) throw new Problem('precondition-failed')
}
