import { useState } from 'hono/jsx/dom'
import type { Proposal } from '../../domain/proposal.ts'
import { useService } from '../client/reach.ts'
import type { Schema } from '../client/shapes.ts'
import { toAnswer } from './answers.ts'
import { type Edited, editedOf, fieldsOf } from './fields.ts'
import type { SlipProps } from './slipProps.ts'

/** Maximum number of fields shown outside the collapsed part, so that the accept button stays visible. */
const shownFields = 3

export type Edits = ReturnType<typeof useEdits>

/** Keeps the edited input of a proposed hire. A change is sent as a request for new terms when its field loses the focus. */
export const useEdits = ({ terms: proposal, say }: SlipProps<Proposal>) => {
  const start = editedOf(proposal.input)
  const [values, setValues] = useState(start)
  const service = useService(proposal.agentId, proposal.offeringId)
  const schema = service?.requirement
  const changed = fieldsOf(schema, values).filter(it => (values[it.name] ?? '') !== (start[it.name] ?? ''))
  const notify = () => {
    const questions = changed.map(it => ({ field: it.name, words: '', form: { type: it.type, description: '' } }))
    return say(toAnswer(questions, values), proposal.digest)
  }
  return {
    values,
    schema,
    isChanged: changed.length > 0,
    tell: notify,
    set: (name: string, text: string) => setValues({ ...values, [name]: text }),
  }
}

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
