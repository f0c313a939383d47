import { useRef, useState } from 'hono/jsx/dom'
import type { Proposal } from '../../domain/runs/proposal.ts'
import { useServiceRead } from '../client/reach.ts'
import type { Schema } from '../client/shapes.ts'
import { toAnswer } from '../fields/answers.ts'
import { type Edited, fieldsOf, givenOf, schemaOf } from '../fields/fields.ts'
import type { SlipProps } from './slipProps.ts'

/** Maximum number of fields shown outside the collapsed part, so that the accept button stays visible. */
export const shownFields = 3

export type Edits = ReturnType<typeof useEdits>

/** Keeps the edited input of a proposed hire. A change is sent as a request for new terms when its field loses the focus. */
export const useEdits = ({ terms: proposal, say }: SlipProps<Proposal>) => {
  const start = givenOf(proposal.input)
  const [values, setValues] = useState(start)
  const sent = useRef<Sent>({ text: '', key: '', state: 'done' })
  const { service, isOver } = useServiceRead(proposal.agentId, proposal.offeringId)
  const schema = schemaOf(service?.requirement)
  const changed = fieldsOf(schema, values).filter(it => (values[it.name] ?? '') !== (start[it.name] ?? ''))
  const text = toAnswer(
    changed.map(it => ({ field: it.name, words: '', form: { type: it.type, description: '' } })),
    values,
  )
  const notify = async () => {
    // After a failure the same edit is sent with the same key, so that it counts once.
    const { current: last } = sent
    const edit = { text, key: last.state === 'failed' && last.text === text ? last.key : crypto.randomUUID() }
    sent.current = { ...edit, state: 'under way' }
    try {
      await say(text, proposal.digest, edit.key)
      sent.current = { ...edit, state: 'done' }
    } catch (error) {
      sent.current = { ...edit, state: 'failed' }
      throw error
    }
  }
  return {
    values,
    /** What the terms have, without edits. */
    given: start,
    schema,
    /** Whether the kinds of the fields are known, as far as they can be. */
    isRead: isOver,
    made: proposal.made ?? [],
    isChanged: changed.length > 0,
    /** Whether this edit was sent by Enter before its field lost the focus. */
    isSent: () => sent.current.state !== 'failed' && sent.current.text === text,
    /** Whether an edit is being sent, even if the page does not show it yet. */
    isUnderWay: () => sent.current.state === 'under way',
    tell: notify,
    set: (name: string, value: string) => setValues({ ...values, [name]: value }),
  }
}

type Sent = { text: string; key: string; state: 'under way' | 'done' | 'failed' }

export type Given = { values: Edited; schema: Schema }

/** Splits the input into fields shown at once and collapsed fields. Empty fields come last. */
export const splitInput = (values: Edited, schema: Schema | undefined): [Given, Given] => {
  const all = fieldsOf(schema, values)
  const inOrder = [...all.filter(it => values[it.name]), ...all.filter(it => !values[it.name])]
  const part = (some: typeof all): Given => ({
    values: Object.fromEntries(some.map(it => [it.name, values[it.name] ?? ''])),
    schema: { properties: Object.fromEntries(some.map(it => [it.name, schema?.properties?.[it.name] ?? {}])) },
  })
  const filled = Math.max(1, inOrder.filter(it => values[it.name]).length)
  const shown = Math.min(shownFields, filled)
  return [part(inOrder.slice(0, shown)), part(inOrder.slice(shown))]
}
