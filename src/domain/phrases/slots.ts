// What may stand in place of a `{name}` of a sentence. The digit at the end of a name only tells two of a kind apart.

const word = '[^\\s()“”"]+'
const line = '[^\\n]{1,600}?'

/** A regular expression for each kind of slot. */
export const slots: Record<string, string> = {
  n: '\\d+',
  amount: '[\\d.]+',
  digest: '[0-9a-f]{8}',
  clock: '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC',
  wallet: '0x[0-9a-fA-F]{40}',
  hash: word,
  handle: word,
  agent: line,
  name: line,
  text: line,
  label: '[^\\n?:]{1,100}?',
  rest: '[^\\n]*',
  lines: '[\\s\\S]+',
  /** Lines up to an empty one. */
  block: '(?:[^\\n]|\\n(?!\\n))+',
  /** The ending of an English plural, which the other languages here do without. */
  s: 's?',
  wish: '\\w+(?: and \\w+)?',
  meanings: line,
  /** Slots below are sentences or parts of sentences of the table themselves. */
  span: '1 minute|\\d+ minutes|\\d+ hours \\(\\d+ minutes\\)',
  alive: 'online now|has never connected|last seen \\d+ \\w+ ago',
  gap: line,
  why: '[^\\n]*',
  checks: '[^\\n]*',
  record: '[^\\n]*',
  all: '(?:, and your message has all its inputs)?',
}

/** Slots whose value is said in the language of the sentence. */
export const spoken: ReadonlySet<string> = new Set(['span', 'alive', 'gap', 'why', 'checks', 'record', 'all'])
/** Slots that another language may leave out. */
export const optional: ReadonlySet<string> = new Set(['s', 'wish', 'meanings'])
