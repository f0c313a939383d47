import { toDuration } from '../client/format.ts'
import { toOwn } from '../client/words.ts'
import { useNow } from '../parts/basics.tsx'
import type { Step } from './steps.ts'

export const Steps = ({ steps }: { steps: Step[] }) => (
  <ol class="line4" data-count={steps.length}>
    {steps.map(it => (
      <li key={it.name} class={it.state} aria-current={it.state === 'now' ? 'step' : undefined}>
        <b>{toOwn(it.name)}</b>
        <Took step={it} />
      </li>
    ))}
  </ol>
)

const Took = ({ step: { ms, since } }: { step: Step }) => {
  const now = useNow(since !== undefined)
  const took = since === undefined ? ms : now - since
  return <span class="num">{took === undefined ? ' ' : since === undefined ? toDuration(took) : counted(took)}</span>
}

/** Formats the duration of the current step in whole seconds. */
const counted = (ms: number): string => (ms < 100_000 ? `${Math.max(0, Math.floor(ms / 1000))} s` : toDuration(ms))

/** The steps as short bars, where there is no space for words. */
export const StepBars = ({ steps }: { steps: Step[] }) => (
  <span class="steps4 only-wide" aria-hidden="true">
    {steps.map(it => (
      <i key={it.name} class={it.state} />
    ))}
  </span>
)
