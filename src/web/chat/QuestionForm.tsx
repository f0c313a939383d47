import type { Question } from '../../domain/runs/question.ts'
import { toQuotable } from '../../domain/text/quotableText.ts'
import { toUsdc } from '../client/format.ts'
import { useDraft, useWork } from '../client/reach.ts'
import { t, tn } from '../client/words.ts'
import { AnswerField, startOf } from '../fields/AnswerField.tsx'
import { toAnswer } from '../fields/answers.ts'
import { Button, Notice } from '../parts/basics.tsx'
import { quoted } from '../parts/strangers.tsx'

const nameChars = 200

type FormProps = {
  /** Key of the question and its run. */
  name: string
  questions: Question[]
  offering: string
  /** The steps of the plan that the questions are for. */
  steps?: { number: number; offering_name: string; price: string; scheme?: string | undefined }[] | undefined
  /** Tasks of the message that nobody here does. */
  unplanned?: string[] | undefined
  isOpen: boolean
  isReady: boolean
  say(text: string): Promise<void>
}

export const QuestionForm = ({ name, questions, offering, steps, unplanned = [], isOpen, isReady, say }: FormProps) => {
  const [draft, setDraft] = useDraft(`question ${name}`, '{}')
  const typed: Record<string, string> = JSON.parse(draft)
  const work = useWork()
  const values = Object.fromEntries(questions.map(it => [it.field, typed[it.field] ?? startOf(it)]))
  const isFilled = isReady && questions.every(it => values[it.field]?.trim())
  const send = (event: Event) => {
    event.preventDefault()
    if (isFilled && !work.busy) work.run(() => say(toAnswer(questions, values)))
  }
  return (
    <form class="slip questions" onSubmit={send} aria-label={t('Question')}>
      <p class="label">
        {steps
          ? tn(steps.length, 'To approve {n} step, this is missing|To approve {n} steps, this is missing')
          : t('To hire {name}, this is missing', { name: offering ? toQuotable(offering, nameChars) : t('an agent') })}
      </p>
      {steps?.map(it => (
        <p class="q s" key={it.number}>
          {it.number}. {quoted(it.offering_name, 120)}, {it.scheme && `${t('up to')} `}
          {toUsdc(it.price)} USDC
        </p>
      ))}
      {unplanned.length > 0 && (
        <p class="q s">
          {t('Nobody here does:')} {quoted(unplanned.join('; '), 400)}
        </p>
      )}
      {questions.map((question, index) => (
        <div key={question.field}>
          {isOpen ? (
            <AnswerField
              id={`answer-${index}`}
              question={question}
              value={values[question.field] ?? ''}
              isFirst={index === 0}
              set={value => setDraft(JSON.stringify({ ...typed, [question.field]: value }))}
            />
          ) : (
            quoted(question.form?.description || question.words, 400)
          )}
        </div>
      ))}
      {work.error && <Notice kind="error">{work.error}</Notice>}
      {isOpen && (
        <div class="row">
          <Button type="submit" class="btn main" disabled={work.busy || !isFilled} words={t('Answer')} />
          <Button
            class="link"
            disabled={work.busy || !isReady}
            onClick={() => work.run(() => say('never mind'))}
            words={t('Never mind')}
          />
        </div>
      )}
    </form>
  )
}
