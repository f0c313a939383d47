import { CheckIcon, CrossIcon } from '../parts/icons.tsx'
import { Quoted } from '../parts/strangers.tsx'
import type { RunEvent } from '../wire.ts'

/** How the deliverable was judged: each rule of the terms, and what broke them. */
export const Verdict = ({ events, rules }: { events: RunEvent[]; rules: string[] }) => {
  const verdict = events.findLast(it => it.type === 'evaluated')?.data
  if (!verdict) return null
  const { pass = false, errors = [] } = verdict
  return (
    <section aria-labelledby="verdict">
      <h2 id="verdict">{pass ? 'It passed its checks' : 'It did not pass its checks'}</h2>
      <ul class="plain ticks">
        {pass &&
          rules.map(rule => (
            <li key={rule}>
              <CheckIcon /> <Quoted text={rule} />
            </li>
          ))}
        {errors.map(error => (
          <li key={error} class="bad">
            <CrossIcon /> <Quoted text={error} chars={300} />
          </li>
        ))}
      </ul>
    </section>
  )
}
