import { toCount } from '../client/format.ts'
import { type Edits, splitInput } from './edits.ts'
import { Fields } from '../fields/Fields.tsx'

type SlipFieldsProps = { id: string; edits: Edits; isOff: boolean; done(): void }

/** The editable input of a proposed hire. */
export const SlipFields = ({ edits, ...bound }: SlipFieldsProps) => {
  const [first, rest] = splitInput(edits.values, edits.schema)
  const fields = { ...bound, made: edits.made, given: edits.given, set: edits.set }
  return (
    <>
      <Fields {...fields} schema={first.schema} values={first.values} />
      {Object.keys(rest.values).length > 0 && (
        <details class="rest">
          <summary class="link">{toCount(Object.keys(rest.values).length, 'more detail')}</summary>
          <Fields {...fields} schema={rest.schema} values={rest.values} />
        </details>
      )}
    </>
  )
}
