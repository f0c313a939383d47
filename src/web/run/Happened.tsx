import type { RunRecord as Run } from '../../records/run.ts'
import { toDuration, toReadable, toSecond } from '../client/format.ts'
import type { RunEvent } from '../client/shapes.ts'
import { t, tn, toOwn } from '../client/words.ts'
import { CheckIcon, ChevronIcon, ClockIcon, CrossIcon, ReturnIcon, SpinIcon } from '../parts/icons.tsx'
import { quoted } from '../parts/strangers.tsx'
import { noteOf, type Phase, toPhases } from './phases.ts'

type HappenedProps = { events: RunEvent[]; run: Run }

export const Happened = ({ events, run }: HappenedProps) => {
  const isOver = run.state === 'completed' || run.state === 'failed'
  return (
    <section aria-labelledby="happened">
      <h2 id="happened">{t('What happened')}</h2>
      <div class="phases">
        {toPhases(events, isOver).map(it => (
          <Part key={it.events[0]?.seq} phase={it} verdict={it.name === 'Checked' ? run.verdict : undefined} />
        ))}
      </div>
    </section>
  )
}

const Part = ({ phase, verdict }: { phase: Phase; verdict: Run['verdict'] }) => (
  <details class="phase">
    <summary>
      <span class={`disc ${phase.state === 'done' ? '' : phase.state}`}>
        {phase.state === 'done' ? <CheckIcon /> : phase.state === 'work' ? <SpinIcon /> : <ReturnIcon />}
      </span>
      <span>
        <b>{toOwn(phase.name)}</b> <span class="q">{verdict ? checkedWords(verdict) : toOwn(noteOf(phase))}</span>
      </span>
      <span class="when">{toDuration(phase.to - phase.from)}</span>
      <ChevronIcon />
    </summary>
    <ol>
      {phase.events
        .filter(it => it.type !== 'transaction' && it.type !== 'proposed')
        .map(it => (
          <li key={it.seq}>
            {quoted(toReadable(it.summary_text), 400)}
            <span>{toSecond(it.timestamp)}</span>
          </li>
        ))}
      {verdict?.criteria.map(it => (
        <Check key={it.id} finding={it} />
      ))}
    </ol>
  </details>
)

type Verdict = NonNullable<Run['verdict']>

const checkedWords = ({ criteria }: Verdict): string =>
  tn(criteria.length, '{passed} of {n} check passed|{passed} of {n} checks passed', {
    passed: String(criteria.filter(it => it.outcome === 'pass').length),
  })

const outcomes = { pass: 'passed', fail: 'did not pass', unverifiable: 'could not be checked' } as const
const marks = { pass: CheckIcon, fail: CrossIcon, unverifiable: ClockIcon }

const Check = ({ finding: { words, outcome, evidence } }: { finding: Verdict['criteria'][number] }) => {
  const Mark = marks[outcome]
  return (
    <li class={outcome === 'fail' ? 'bad' : undefined}>
      <span class="check-line">
        <Mark />
        <span>
          {quoted(words, 300)}
          {outcome !== 'pass' && <span class="q xs"> {quoted(evidence, 300)}</span>}
        </span>
      </span>
      <span>{t(outcomes[outcome])}</span>
    </li>
  )
}
