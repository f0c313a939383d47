import type { Run } from '../client/wire.ts'
import { CheckIcon, ClockIcon, CrossIcon } from '../parts/icons.tsx'
import { Quoted } from '../parts/strangers.tsx'

const marks = { pass: CheckIcon, fail: CrossIcon, unverifiable: ClockIcon }
const outcomes = { pass: 'holds', fail: 'does not hold', unverifiable: 'could not be told' }

/** How the deliverable was judged: each thing that was agreed on, and what was found. */
export const Verdict = ({ verdict: { pass, criteria } }: { verdict: NonNullable<Run['verdict']> }) => (
  <section aria-labelledby="verdict">
    <h2 id="verdict">{pass ? 'It passed its checks' : 'It did not pass its checks'}</h2>
    <ul class="plain ticks">
      {criteria.map(({ id, words, outcome, evidence }) => {
        const Mark = marks[outcome]
        return (
          <li key={id} class={outcome === 'fail' ? 'bad' : undefined}>
            <Mark />
            <span>
              <Quoted text={words} chars={300} /> <span class="unseen">{outcomes[outcome]}</span>
              <span class="quiet small">
                <Quoted text={evidence} chars={300} />
              </span>
            </span>
          </li>
        )
      })}
    </ul>
  </section>
)
