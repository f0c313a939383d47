import type { Child } from 'hono/jsx'

/** A text with elements at its places, such as a linked or exact amount at {amount}. */
export const Filled = ({ words, of }: { words: string; of: Record<string, Child> }) => (
  <>{words.split(/\{(\w+)\}/).map((it, at) => (at % 2 === 1 ? (of[it] ?? it) : it))}</>
)
