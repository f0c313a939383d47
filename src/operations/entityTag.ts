import { Problem } from '../domain/problem.ts'
import type { Caller } from './operation.ts'

/**
 * The entity tag of a record (RFC 9110, 8.8.3). It covers only what can be changed, so figures that vary by themselves never
 * make a conditional change fail.
 */
export const toTag = ({ version }: { version: number }): string => `"${version}"`

const entityTags = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g

/**
 * Checks If-Match: absent, `*` or the current version pass. Weak tags never match (RFC 9110, 13.1.1).
 * @throws Problem precondition-failed
 */
export const requireMatch = ({ ifMatch }: Pick<Caller, 'ifMatch'>, current: { version: number }): void => {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  if (!ifMatch.match(entityTags)?.includes(toTag(current))) throw new Problem('precondition-failed')
}
