import { readConsent } from '../../domain/consent/readConsent.ts'
import { toTerms } from '../words/words.ts'

// What is said to an open or running plan by form: which steps to leave out or to keep, and a value for one step. English, German
// and Spanish words are read. A yes beside such words agrees to nothing, as the plan changes.

/** A longer message is none of these forms, and the time of reading is bounded. */
const mostChars = 300

/** What names a step: the values of its input, and the name of its offering with the words of its task. */
export type Named = { values: string; words: string }

const joiners = /^(?:(?:yes|ok|okay|sure|fine|please|but|and|then|ja|gut|bitte|aber|und|dann|sí|si|vale|pero|y|luego)\s+)+/iu
const clauses =
  /\s*[,;.!\n]+\s*|\s+(?:(?:and|und|y)\s+)?(?:then|dann|luego)\s+|(?<!(?:everything|all|nothing))\s+(?:but|aber|pero)\s+/iu
const courtesy = /\s+(?:please|bitte|por favor)$/iu
const everything = String.raw`(?:(?:do|hire|take)\s+)?(?:everything|all(?: of (?:it|them))?|alles?|todos?|todas?)`
const leaving = [
  String.raw`(?:just\s+)?(?:skip|leave out|drop|remove|omit|without|cancel|exclude|delete|take out)\s+(?<on>.+)`,
  String.raw`(?:forget(?: about)?|not|(?:${everything} )?except(?: for)?|${everything} but)\s+(?<on>.+)`,
  String.raw`(?:leave|take)\s+(?<on>.+?)\s+(?:out|off|away)`,
  String.raw`(?:ohne|überspringe?|streiche?|entferne?|nicht|(?:${everything} )?(?:außer|bis auf))\s+(?<on>.+)`,
  String.raw`lass(?:e|t)?\s+(?<on>.+?)\s+(?:weg|aus|raus|fallen)`,
  String.raw`(?<on>.+?)\s+(?:weglassen|auslassen|überspringen|streichen|entfernen)`,
  String.raw`(?:sin|omite|omitir|saltar?|quitar?|elimina|deja fuera)\s+(?<on>.+)`,
  String.raw`(?:${everything} )?(?:menos|excepto|salvo)\s+(?<on>.+)`,
]
const only = '(?:only|just|nothing but|nur|bloß|sol[oa]|sólo|solamente|únicamente)'
const keeping = [
  String.raw`(?:(?:do|hire|take|make|mach|haz)\s+)?${only}\s+(?:do\s+|hire\s+)?(?<on>.+)`,
  String.raw`(?:keep|behalte?)\s+(?:only\s+|nur\s+)?(?<on>.+?)(?:\s+(?:only|alone))?`,
  String.raw`(?:(?:do|hire|take)\s+)?(?<on>.+?)\s+(?:only|alone)`,
]
const toForms = (all: readonly string[]) => all.map(it => new RegExp(`^${it}$`, 'iu'))
const [leavingForms, keepingForms] = [toForms(leaving), toForms(keeping)]
const targetIn = (clause: string, forms: readonly RegExp[]): string | undefined =>
  forms.map(it => it.exec(clause)?.groups?.on).find(it => it !== undefined)

const nouns = 'steps?|number|nr|no|schritte?|nummer|pasos?|número'
const beside = new RegExp(
  String.raw`^(?:(?:the|der|die|das|den|el|la|los|las)\s+)?(?:(?:${nouns})\.?\s+|#)?|(?:\s+(?:one|step|task|part|schritt|paso|tarea))+$`,
  'giu',
)
const ordinals = [
  /^(?:first|erste[nrs]?|primer[oa]?)$/i,
  /^(?:second|zweite[nrs]?|segund[oa])$/i,
  /^(?:third|dritte[nrs]?|tercer[oa]?)$/i,
  /^(?:fourth|vierte[nrs]?|cuart[oa])$/i,
  /^(?:fifth|fünfte[nrs]?|quint[oa])$/i,
  /^(?:sixth|sechste[nrs]?|sext[oa])$/i,
  /^(?:seventh|siebte[nrs]?|séptim[oa])$/i,
  /^(?:eighth|achte[nrs]?|octav[oa])$/i,
]
const lasts = /^(?:last|letzte[nrs]?|últim[oa])$/i

/** The numbers of the steps that words name, by number, place or what stands in them; none where they name all or no step. */
const numbersOf = (words: string, steps: readonly Named[]): number[] => {
  const said = words.trim().replaceAll(beside, '')
  if (/^\d$/.test(said)) return [Number(said)]
  const place = lasts.test(said) ? steps.length : ordinals.findIndex(it => it.test(said)) + 1
  if (place > 0) return [place]
  const own = toTerms(said)
  const namedBy = (textOf: (of: Named) => string) =>
    steps.flatMap((it, at) => {
      const terms = new Set(toTerms(textOf(it)))
      return own.length > 0 && own.every(one => terms.has(one)) ? [at + 1] : []
    })
  const named = [namedBy(it => it.values), namedBy(it => `${it.values} ${it.words}`)].find(it => it.length > 0) ?? []
  return named.length < steps.length ? named : []
}

const between = /\s*(?:,|&|(?<!\p{L})(?:and|und|y|or|oder|o)(?!\p{L}))\s*/iu
/** The steps of an enumeration; none where a part of it names no step. */
const allOf = (words: string, steps: readonly Named[]): number[] => {
  const whole = numbersOf(words, steps)
  if (whole.length > 0) return whole
  const parts = words.split(between).map(it => numbersOf(it, steps))
  return parts.every(it => it.length > 0) ? parts.flat() : []
}

/**
 * The numbers of the steps that a message leaves out: “skip 2”, “yes but leave out Lima”, “do the first only”. Empty for every
 * other message. A number may be of no step.
 */
export const readSkips = (text: string, steps: readonly Named[]): number[] => readParts(text, steps, steps)

/** Those of a running plan. “Just the weather in Lima” may be a new task there, so what is kept is named by its number or place. */
export const readSkipsOfRunning = (text: string, steps: readonly Named[]): number[] =>
  readParts(
    text,
    steps,
    steps.map(() => ({ values: '', words: '' })),
  )

const readParts = (text: string, steps: readonly Named[], keepable: readonly Named[]): number[] => {
  if (text.length > mostChars) return []
  const [left, kept] = [new Set<number>(), new Set<number>()]
  let last: Set<number> | undefined
  for (const said of text.split(clauses)) {
    const clause = said.trim().replace(joiners, '').replace(courtesy, '')
    if (clause === '' || [said, clause].some(it => readConsent(it) !== undefined)) continue
    const [skipped, named] = [targetIn(clause, leavingForms), targetIn(clause, keepingForms)]
    const into = skipped !== undefined ? left : named !== undefined ? kept : last
    const numbers = allOf(skipped ?? named ?? clause, into === kept ? keepable : steps)
    if (!into || numbers.length === 0) return []
    for (const it of numbers) into.add(it)
    last = into
  }
  const others = kept.size === 0 ? [] : steps.flatMap((_, at) => (kept.has(at + 1) ? [] : [at + 1]))
  return [...new Set([...left, ...others, ...[...kept].filter(it => it > steps.length)])]
}

const numbered = /^\s*(?:step\s*)?#?(\d)\s*[.):,]\s*(\S.*)$/is
const inStep = /^(.*\S)\s+(?:in|of|for|at)\s+(?:step|number|no\.?|#)\s*(\d)(?:\s+(?:to|is|should be)\s+(\S.*?))?\s*[.!]*$/is
const changeIn =
  /^\s*(?:please\s+)?(?:change|set|make)\s+(?:the\s+)?(.+?)\s+(?:in|of|for|at)\s+(?:step\s*)?(\d)\s+(?:to|into)\s+(\S.*?)\s*[.!]*$/is
const replacing = /^\s*(?:please\s+)?(?:change|replace)\s+(?:the\s+)?(\S.*?)\s+(?:to|into|by|with)\s+(\S.*)/is
const denying =
  /^\s*\S.*?[\s,;]+(?:not|instead of|rather than)\s+(?:(?:the|in|for|at|to|from|on|an?)\s+)?(?<old>[^,;]{1,40}?)[\s.!]*$|^\W*(?:(?:no|sorry)[\s,]+)?not\s+(?:(?:the|in|for|at|to|from|on|an?)\s+)?(?<was>[^,;]{1,40}?),?\s+but\s+\S/is
/** The old value that a message denies: "20 miles, not 10", "not Cairo but Lima". */
const deniedIn = (text: string): string => {
  const { old, was } = denying.exec(text)?.groups ?? {}
  return old ?? was ?? ''
}
/** Whether a message puts a value in the place of another one. */
export const deniesValue = (text: string): boolean => text.length <= mostChars && deniedIn(text) !== ''

/**
 * The words that a message says of one step: “2. city: Oslo”, “change the city in 3 to Oslo”, “change Lima to Oslo” where one step
 * has Lima. Undefined where it names none, or several.
 */
export const readStepChange = (text: string, steps: readonly Named[]): { number: number; words: string } | undefined => {
  const short = text.length <= mostChars ? text : ''
  const [, field, at, value] = changeIn.exec(short) ?? []
  if (field !== undefined && at !== undefined && value !== undefined) return { number: Number(at), words: `${field}: ${value}` }
  const [, first, rest] = numbered.exec(text) ?? []
  if (first !== undefined && rest !== undefined) return { number: Number(first), words: rest }
  const [, what, number, to] = inStep.exec(short) ?? []
  if (what !== undefined && number !== undefined)
    return { number: Number(number), words: to === undefined ? what : `${what}: ${to}` }
  const [, old = deniedIn(short), next = ''] = replacing.exec(short) ?? []
  // Two changes at once are read as none.
  if (old === '' || /\s(?:to|into|by|with)\s/i.test(next)) return undefined
  const values = steps.map(({ values: own }) => ({ values: own, words: '' }))
  const [only, ...others] = /^\d$/.test(old)
    ? values.flatMap((it, at) => (it.values.split(' ').includes(old) ? [at + 1] : []))
    : numbersOf(old, values)
  return only === undefined || others.length > 0 ? undefined : { number: only, words: text }
}
