// What is said to an open or running plan by form: which steps to leave out, and a value for one step.

/** A longer message is none of these forms, and the time of reading is bounded. */
const mostChars = 300

const lead = String.raw`^\s*(?:(?:yes|ok|okay|please|but|and|just|then)[,!]?\s+)*`
const skipping = new RegExp(
  String.raw`${lead}(?:skip|leave out|drop|remove|omit|without|cancel)\s+(?:the\s+)?(?:steps?\s+|number\s+|no\.?\s*|#)?(\d(?:\s*(?:,|and|&|or)\s*(?:and\s+)?(?:step\s+)?\d)*)(?:\s+please)?\s*[.!]*\s*$`,
  'i',
)

/** The numbers of the steps that a message leaves out: “skip 2”, “leave out steps 2 and 3”. Empty for every other message. */
export const readSkips = (text: string): number[] =>
  [
    ...new Set(
      [...((text.length <= mostChars && skipping.exec(text)?.[1]) || '').matchAll(/\d/g)].map(([digit]) => Number(digit)),
    ),
  ].filter(it => it > 0)

const numbered = /^\s*(?:step\s*)?#?(\d)\s*[.):,]\s*(\S.*)$/is
const inStep = /^(.*\S)\s+(?:in|of|for|at)\s+(?:step|number|no\.?|#)\s*(\d)(?:\s+(?:to|is|should be)\s+(\S.*?))?\s*[.!]*$/is
const changeIn =
  /^\s*(?:please\s+)?(?:change|set|make)\s+(?:the\s+)?(.+?)\s+(?:in|of|for|at)\s+(?:step\s*)?(\d)\s+(?:to|into)\s+(\S.*?)\s*[.!]*$/is

/** The words that a message says of one step: “2. city: Oslo”, “change the city in 3 to Oslo”. Undefined where it names none. */
export const readStepChange = (text: string): { number: number; words: string } | undefined => {
  const short = text.length <= mostChars ? text : ''
  const [, field, at, value] = changeIn.exec(short) ?? []
  if (field !== undefined && at !== undefined && value !== undefined) return { number: Number(at), words: `${field}: ${value}` }
  const [, first, rest] = numbered.exec(text) ?? []
  if (first !== undefined && rest !== undefined) return { number: Number(first), words: rest }
  const [, what, number, to] = inStep.exec(short) ?? []
  if (what === undefined || number === undefined) return undefined
  return { number: Number(number), words: to === undefined ? what : `${what}: ${to}` }
}
