import { readByForm } from '../../graphs/butler/byForm.ts'
import { decide } from '../../graphs/butler/decide.ts'
import { type Act, acts } from '../../src/domain/runs/acts.ts'
import { classify, train } from '../../src/language/acts/classifier.ts'
import { type Example, parseExamples, readExampleText, toRows } from '../../src/language/acts/examples.ts'

const folds = 5
/** The probability above which harm is declined, as in `decide`. */
const harmFrom = 0.5

type Read = { meant: Act; read: Act; isTakenAsYes: boolean }

/** Classifies the examples of one fold with a classifier trained on all others. */
const readFold = (examples: Example[], fold: number): Read[] => {
  const isKept = (_: unknown, at: number) => at % folds !== fold
  const known = examples.filter(isKept)
  const weights = train(toRows(known))
  return examples
    .filter((it, at) => !isKept(it, at))
    .flatMap(({ act: meant, text, situations: [situation] }) => {
      if (!situation) return []
      const reading = classify(weights, text, situation)
      const plain = readByForm(text, { situation, terms: undefined, by: 'rules', isTextAsked: false })
      const decided = decide(plain ?? { ...reading, by: 'rules' }, situation)
      const read = plain ? plain.act : reading.act === 'declined' && reading.sure < harmFrom ? reading.other : reading.act
      const isTakenAsYes = situation.stage === 'proposal' && decided.act === 'yes' && !decided.isDoubtful
      return [{ meant, read, isTakenAsYes }]
    })
}

const share = (of: Read[], holds: (it: Read) => boolean) => (of.length === 0 ? null : of.filter(holds).length / of.length)
const isRight = ({ meant, read }: Read) => meant === read

/** Cross-validates the classifier of acts: its accuracy, the mean accuracy per act, and the counts of five important errors. */
export const measureActs = async (): Promise<Record<string, number | null>> => {
  const examples = parseExamples(await readExampleText())
  const read = Array.from({ length: folds }, (_, fold) => readFold(examples, fold)).flat()
  const of = (act: Act) => read.filter(it => it.meant === act)
  const shares = acts.flatMap(act => share(of(act), isRight) ?? [])
  const asYes = read.filter(it => it.isTakenAsYes)
  return {
    n: read.length,
    accuracy: share(read, isRight),
    macro: shares.reduce((a, b) => a + b, 0) / Math.max(1, shares.length),
    not_yes_as_yes: asYes.filter(it => it.meant !== 'yes').length,
    task_as_yes: asYes.filter(it => it.meant === 'task').length,
    cancel_lost: of('cancel').filter(it => it.read === 'task').length,
    harm_missed: of('declined').filter(it => it.read !== 'declined').length,
    yes_lost: of('yes').filter(it => it.read !== 'yes').length,
  }
}
