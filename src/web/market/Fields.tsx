import type { Schema } from '../client/wire.ts'
import { Quoted } from '../parts/strangers.tsx'

/** A stranger may have put anything where a description stands. */
const toWords = ({ properties }: Schema, name: string): string => {
  const { description, type } = properties?.[name] ?? {}
  return typeof description === 'string' ? description : [type ?? ''].flat().join(' or ')
}

/** The members that a schema names, in its own words. */
export const Fields = ({ title, schema }: { title: string; schema: Schema }) => {
  const required = schema.required ?? []
  const names = [...new Set([...required, ...Object.keys(schema.properties ?? {})])]
  if (names.length === 0) return null
  return (
    <div class="fields">
      <h4>{title}</h4>
      <ul class="plain">
        {names.map(name => (
          <li key={name}>
            <code>
              <Quoted text={name} chars={60} />
            </code>{' '}
            <span class="quiet small">
              <Quoted text={toWords(schema, name)} chars={200} />
              {!required.includes(name) && ' (may be left out)'}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
