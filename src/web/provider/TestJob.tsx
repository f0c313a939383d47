import { useState } from 'hono/jsx/dom'
import type { TestRecord } from '../../records/testJob.ts'
import { useEffect } from '../client/effects.ts'
import { toDuration } from '../client/format.ts'
import { useReach, useWork } from '../client/reach.ts'
import type { Agent, Offering } from '../client/shapes.ts'
import { t } from '../client/words.ts'
import { Fields } from '../fields/Fields.tsx'
import { type Edited, fieldsOf, toInput } from '../fields/fields.ts'
import { Button, Notice, textOf } from '../parts/basics.tsx'
import { LineChoice } from '../parts/LineForm.tsx'
import { quoted } from '../parts/strangers.tsx'
import { kindOf } from '../result/kinds.ts'
import { Work } from '../result/Work.tsx'

/** Time in ms between two reads of a test job under way. */
const rereadMs = 400

type TestJobProps = { agent: Agent; offerings: Offering[] }

export const TestJob = ({ agent, offerings }: TestJobProps) => {
  const { api } = useReach()
  const work = useWork()
  const [chosen, setChosen] = useState(offerings[0]?.id ?? '')
  const offering = offerings.find(it => it.id === chosen) ?? offerings[0]
  const [edits, setEdits] = useState<Record<string, Edited>>({})
  const [record, setRecord] = useState<TestRecord | undefined>(undefined)
  useFollowed(record, setRecord)
  if (!offering) return null
  const values = { ...startOf(offering), ...edits[offering.id] }
  const set = (name: string, text: string) => setEdits({ ...edits, [offering.id]: { ...values, [name]: text } })
  const send = (event: Event) => {
    event.preventDefault()
    work.run(async () => {
      const path = `/agents/${encodeURIComponent(agent.agent_id)}/tests`
      setRecord(await api.post<TestRecord>(path, { offering_id: offering.id, ...typedIn(offering, values) }))
    })
  }
  return (
    <section class="card" aria-labelledby="test-job">
      <h2 id="test-job">{t('Send a test job')}</h2>
      <p class="q s">{t('It runs like a real one, costs nothing and counts nowhere.')}</p>
      <form class="order test-form" onSubmit={send}>
        {offerings.length > 1 && (
          <LineChoice label={t('Offering')} options={offerings.map(it => [it.id, it.name])} value={offering.id} set={setChosen} />
        )}
        <TestInput offering={offering} values={values} set={set} />
        <Button type="submit" class="btn full" disabled={work.busy || isOpen(record)} words={t('Send the test job')} />
      </form>
      {work.error && <Notice kind="error">{work.error}</Notice>}
      <div aria-live="polite">{record && <TestResult record={record} />}</div>
    </section>
  )
}

const isOpen = (record: TestRecord | undefined) => record?.state === 'queued' || record?.state === 'leased'

const useFollowed = (record: TestRecord | undefined, setRecord: (it: TestRecord) => void) => {
  const { api } = useReach()
  useEffect(() => {
    if (!record || !isOpen(record)) return
    const gone = new AbortController()
    const read = () =>
      api.get<TestRecord>(`/v1/tests/${record.test_id}`, gone.signal).then(
        it => !gone.signal.aborted && setRecord(it),
        // An unreachable service is shown by the page's own line; the next read may succeed.
        () => !gone.signal.aborted && setRecord({ ...record }),
      )
    const timer = setTimeout(read, rereadMs)
    return () => {
      gone.abort()
      clearTimeout(timer)
    }
  }, [record])
}

const takesText = ({ requirement }: Offering) => fieldsOf(requirement, {}).length === 0

/** The texts of the form at its start: the example request, where the offering takes one text. */
const startOf = ({ requirement, examples: [example = ''] }: Offering): Edited => {
  const fields = fieldsOf(requirement, {})
  const only = fields.length === 1 ? fields[0] : undefined
  if (fields.length === 0) return { text: example }
  return Object.fromEntries(fields.map(it => [it.name, it === only && it.type === 'string' ? example : '']))
}

/** The input as typed; nothing when all fields are empty, so that the service takes an example. */
const typedIn = (offering: Offering, values: Edited): { input?: unknown } => {
  if (Object.values(values).every(it => it.trim() === '')) return {}
  return { input: takesText(offering) ? values.text : JSON.parse(toInput(offering.requirement, values)) }
}

type InputProps = { offering: Offering; values: Edited; set(name: string, text: string): void }

const TestInput = ({ offering, values, set }: InputProps) => (
  <>
    {takesText(offering) ? (
      <label class="field">
        <span>{t('Text')}</span>
        <textarea class="in" rows={2} value={values.text ?? ''} onInput={(event: Event) => set('text', textOf(event))} />
      </label>
    ) : (
      <Fields id={`test-${offering.id}`} schema={offering.requirement} values={values} set={set} />
    )}
    {Object.values(values).every(it => it.trim() === '') && (
      <p class="q xs">{t('Left empty, an example of the offering is sent.')}</p>
    )}
  </>
)

const TestResult = ({ record }: { record: TestRecord }) => {
  const { picked_up_ms, answered_ms, state, checks, passes } = record
  const failed = state === 'failed' || state === 'expired'
  const steps: { name: string; said: string; is: 'done' | 'now' | 'next' | 'not' }[] = [
    { name: t('Sent'), said: toDuration(0), is: 'done' },
    { name: t('Picked up'), ...toStep(picked_up_ms, failed) },
    { name: t('Answered'), ...toStep(answered_ms, failed) },
    {
      name: t('Passes'),
      said: checks.length === 0 ? ' ' : t('{some} of {all}', { some: String(passes), all: String(checks.length) }),
      is: state === 'passed' ? 'done' : failed ? 'not' : 'next',
    },
  ]
  return (
    <>
      <p class="q xs after">
        {t('Sent')}: {quoted(record.input, 200)}
      </p>
      <ol class="line4 after" data-count={4}>
        {steps.map(it => (
          <li key={it.name} class={it.is}>
            <b>{it.name}</b>
            <span class="num">{it.said}</span>
          </li>
        ))}
      </ol>
      {state === 'expired' && <Notice kind="error">{t('The agent did not answer in time. Is your program running?')}</Notice>}
      {record.reason && <Notice kind="error">{quoted(record.reason)}</Notice>}
      {checks.map(
        it =>
          it.outcome === 'fail' && (
            <p key={it.id} class="s">
              <b>{it.words}:</b> {quoted(it.evidence, 400)}
            </p>
          ),
      )}
      {record.deliverable && <Work work={kindOf(record.deliverable)} main="" name="test" />}
    </>
  )
}

const toStep = (ms: number | undefined, failed: boolean): { said: string; is: 'done' | 'now' | 'not' } =>
  ms === undefined ? { said: ' ', is: failed ? 'not' : 'now' } : { said: toDuration(ms), is: 'done' }
