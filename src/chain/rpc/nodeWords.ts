import type { BroadcastRefusal } from '../../domain/broadcast.ts'

// How nodes say it: geth, erigon, nethermind, reth, anvil and those built on them. Every line is a text that one of them sends.

const table: [BroadcastRefusal | 'known', RegExp][] = [
  ['known', /already known|already imported|already exists|known transaction|alreadyknown/i],
  ['nonce-too-low', /nonce (is )?too low|oldnonce|old nonce/i],
  [
    'replacement-underpriced',
    /replacement transaction underpriced|could not replace|replacementnotallowed|fee too low to replace/i,
  ],
  ['unfunded', /insufficient (funds|balance)|insufficientfunds|doesn't have enough funds/i],
  ['nonce-too-high', /nonce (is )?too high|noncegap|nonce gap/i],
  [
    'fee-too-low',
    /underpriced|less than block base fee|fee ?cap|fee is too low|feetoolow|gas price (is )?(too low|below)|tip ?(cap)? too low|below the minimum/i,
  ],
]

/** What a node's words about sent bytes mean; `known` when it has them. */
export const readAnswer = (words: string): BroadcastRefusal | 'known' =>
  table.find(([, pattern]) => pattern.test(words))?.[0] ?? 'other'
