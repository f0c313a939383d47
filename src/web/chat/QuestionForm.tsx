import { useState } from 'hono/jsx/dom'
import { Notice, textOf } from '../parts/basics.tsx'
import { Quoted } from '../parts/strangers.tsx'
import { useWork } from '../reach.ts'
import type { Question } from '../wire.ts'

type FormProps = { questions: Question[]; offering: string; isOpen: boolean; isReady: boolean; say(text: string): Promise<void> }

/** One answer is said as it is; several name what they are for. */
const toAnswer = (questions: Question[], values: Record<string, string>): string => {
  const [only, second] = questions
  if (only && !second) return values[only.field] ?? ''
  return questions.map(({ field }) => `${field}: ${(values[field] ?? '').replace(/\s*\n\s*/g, ' ')}`).join('\n')
}

/** What the butler still has to know, one field each. */
export const QuestionForm = ({ questions, offering, isOpen, isReady, say }: FormProps) => {
  const [values, setValues] = useState<Record<string, string>>({})
  const work = useWork()
  const isFilled = isReady && questions.every(it => values[it.field]?.trim())
  const send = (event: Event) => {
    event.preventDefault()
    if (isFilled) work.run(() => say(toAnswer(questions, values)))
  }
  return (
    <form class="card questions" onSubmit={send} aria-label="Question">
      <p class="eyebrow">To hire {offering ? <Quoted text={offering} /> : 'an agent'}, one thing is missing</p>
      {questions.map(({ field, words }, index) => (
        <div class="field" key={field}>
          <label for={`answer-${index}`}>
            <Quoted text={words} chars={400} />
          </label>
          {isOpen && (
            <textarea
              id={`answer-${index}`}
              name={field}
              rows={1}
              autofocus={index === 0}
              value={values[field] ?? ''}
              onInput={event => setValues({ ...values, [field]: textOf(event) })}
              onKeyDown={event => event.key === 'Enter' && !event.shiftKey && send(event)}
            />
          )}
        </div>
      ))}
      {work.error && <Notice kind="error">{work.error}</Notice>}
      {isOpen && (
        <div class="row">
          <button type="submit" class="primary" disabled={work.busy || !isFilled}>
            Answer
          </button>
          <button type="button" disabled={work.busy || !isReady} onClick={() => work.run(() => say('never mind'))}>
            Never mind
          </button>
        </div>
      )}
    </form>
  )
}
