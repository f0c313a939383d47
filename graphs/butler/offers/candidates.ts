import type { Candidate } from '../deps.ts'

/** Whether two candidates are the same offering. */
export const isSame = (a: Candidate, b: Candidate) => a.listing.agentId === b.listing.agentId && a.listing.id === b.listing.id

/** Two lists of candidates as one, each candidate once. */
export const joined = (first: Candidate[], more: Candidate[]): Candidate[] => [
  ...first,
  ...more.filter(it => !first.some(one => isSame(one, it))),
]
