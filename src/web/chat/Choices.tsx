import { useWork } from '../client/reach.ts'
import type { Choice } from '../client/wire.ts'
import { Notice, Usdc } from '../parts/basics.tsx'
import { Quoted } from '../parts/strangers.tsx'

/** More than these are not offered at once. */
const places = ['first', 'second', 'third', 'fourth'] as const

type ChoicesProps = { choices: Choice[]; say(text: string): Promise<void> }

/** Offerings of which the user picks one. A pick is said by its place: a listing's own words could be read as something else. */
export const Choices = ({ choices, say }: ChoicesProps) => {
  const work = useWork()
  return (
    <section class="stack" aria-label="Choices">
      <p class="eyebrow">Which one do you mean?</p>
      <ul class="plain choices">
        {choices.slice(0, places.length).map((it, index) => (
          <li key={`${it.agent_id} ${it.offering_id}`}>
            <button
              type="button"
              class="choice"
              disabled={work.busy}
              onClick={() => work.run(() => say(`The ${places[index]} one`))}
            >
              <b>
                <Quoted text={it.name} chars={120} />
              </b>
              <span class="handle">{it.agent_handle}</span>
              <Usdc amount={it.price} />
            </button>
          </li>
        ))}
      </ul>
      {work.error && <Notice kind="error">{work.error}</Notice>}
    </section>
  )
}
