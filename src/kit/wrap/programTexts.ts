import { type Interpreter, interpreterOf, isWrapper } from './interpreters.ts'

/** Where a command line takes a program from. */
export type Programs = {
  /**
   * Positions of arguments that are read as a program: a text such as that after `sh -c`, the name of a program or script, or an
   * option of an interpreter.
   */
  texts: Set<number>
  runsInput: boolean
}

const isOption = (arg: string | undefined) => arg !== undefined && /^[-+]./.test(arg)
const isInput = (arg: string | undefined) => arg !== undefined && /^(-|\/dev\/(stdin|fd\/0)|\/proc\/self\/fd\/0)$/.test(arg)
/** Options with which interpreters read standard input although they have a program. */
const interactive = /^-\w*[is]\w*$|^--interactive$/

/** Finds what a command line reads as a program. A stranger's value there would run as code. */
export const readPrograms = ([program = '', ...args]: string[]): Programs => {
  const interpreter = interpreterOf(program)
  const own = interpreter ? readArguments(interpreter, args) : { texts: [], runsInput: false }
  const nestedAt = isWrapper(program) ? startOf(args) : evaluatedIn(args)
  const nested = nestedAt < 0 ? undefined : readPrograms(args.slice(nestedAt))
  const texts = new Set(own.texts.map(at => at + 1))
  for (const at of nested?.texts ?? []) texts.add(nestedAt + at + 1)
  if (isWrapper(program)) for (let at = 1; at <= (nestedAt < 0 ? args.length : nestedAt + 1); at += 1) texts.add(at)
  const takesArguments = /(^|[\\/])(xargs|parallel)$/.test(program)
  return { texts, runsInput: takesArguments || own.runsInput || nested?.runsInput === true }
}

/** Where the command of a wrapper begins: at an interpreter, or at the first operand that no option before it takes. */
const startOf = (args: string[]): number => {
  const named = args.findIndex(it => interpreterOf(it) || isWrapper(it))
  const isTaken = (at: number) => isOption(args[at - 1]) && args[at - 1] !== '--'
  return named >= 0 ? named : args.findIndex((it, at) => !isOption(it) && !/^\d|^\w+=/.test(it) && !isTaken(at))
}

/** Where an interpreter with an option stands among the arguments of any other program, such as `sh -c`. */
const evaluatedIn = (args: string[]): number => args.findIndex((it, at) => interpreterOf(it) && isOption(args[at + 1]))

const readArguments = (it: Interpreter, args: string[]): { texts: number[]; runsInput: boolean } => {
  const texts: number[] = []
  let [hasProgram, readsAll, isAsked] = [it.isFree === true, it.all === true, false]
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? ''
    const isOperand = !isOption(arg)
    const isCode = it.code?.test(arg) === true
    if (!isOperand || isCode || readsAll) texts.push(at)
    if (readsAll || it.subcommands?.test(arg)) continue
    readsAll = it.all instanceof RegExp && it.all.test(arg)
    isAsked ||= interactive.test(arg)
    const ends = arg === '--' || (isOperand && !it.permutes)
    const isPlain = it.plain?.[0].test(arg) === true
    const takesNext = !isPlain && (isCode || it.values?.test(arg) || (arg === '--' && !hasProgram))
    if (isPlain) at += it.plain?.[1] ?? 0
    if (takesNext) texts.push(++at)
    if (!isPlain && !takesNext && isOperand && !hasProgram) texts.push(at)
    hasProgram ||= isCode || ends || isOperand
    if (ends) break
  }
  const runsInput = !it.isFree && (!hasProgram || isAsked || texts.some(at => isInput(args[at])))
  return { texts, runsInput }
}
