import type { BroadcastRefusal } from '../../domain/chains/broadcast.ts'

// Error messages of geth, erigon, nethermind, reth, anvil and their forks. Each pattern matches a text that one of them sends.

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
    new RegExp(
      [
        ...['underpriced', 'less than block base fee', 'fee ?cap', 'fee is too low', 'feetoolow'],
        ...['gas price (is )?(too low|below)', 'tip ?(cap)? too low', 'below the minimum'],
      ].join('|'),
      'i',
    ),
  ],
]

/** Classifies a node's error message about a broadcast; `known` when the node has the transaction already. */
export const readAnswer = (words: string): BroadcastRefusal | 'known' =>
  table.find(([, pattern]) => pattern.test(words))?.[0] ?? 'other'
