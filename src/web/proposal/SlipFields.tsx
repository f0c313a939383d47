import { toLabel } from '../client/format.ts'
import { tn } from '../client/words.ts'
import { Fields } from '../fields/Fields.tsx'
import { quoted } from '../parts/strangers.tsx'
import { type Edits, shownFields, splitInput } from './edits.ts'

type SlipFieldsProps = { id: string; edits: Edits; isOff: boolean; done(): void }

/** The editable input of a proposed hire. A field that is drawn keeps its kind, so it is drawn when the kinds are known. */
export const SlipFields = ({ edits, ...bound }: SlipFieldsProps) => {
  if (!edits.isRead) return <Places names={Object.keys(edits.given).slice(0, shownFields)} />
  const [first, rest] = splitInput(edits.values, edits.schema)
  const fields = { ...bound, made: edits.made, given: edits.given, set: edits.set }
  return (
    <>
      <Fields {...fields} schema={first.schema} values={first.values} />
      {Object.keys(rest.values).length > 0 && (
        <details class="rest">
          <summary class="link">{tn(Object.keys(rest.values).length, '{n} more detail|{n} more details')}</summary>
          <Fields {...fields} schema={rest.schema} values={rest.values} />
        </details>
      )}
    </>
  )
}

/** Where the fields will be. */
const Places = ({ names }: { names: string[] }) => (
  <>
    {names.map(name => (
      <div class="slip-line" key={name} aria-busy="true">
        <span>{quoted(toLabel(name), 60)}</span>
        <span class="in small" />
      </div>
    ))}
  </>
)
