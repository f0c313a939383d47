import type { Choice } from '../../domain/runs/question.ts'
import { toUsdc } from '../client/format.ts'
import { useService, useWork } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { Link } from '../parts/basics.tsx'
import { Face } from '../parts/Face.tsx'
import { acceptedWords, isOnline } from '../parts/liveness.tsx'
import { quoted } from '../parts/strangers.tsx'

/** The positions by which offerings can be picked; further offerings are not shown. */
const places = ['first', 'second', 'third', 'fourth'] as const

type ChoicesProps = { choices: Choice[]; say(text: string): Promise<void> }

/** Offerings from which the user picks one. The pick is sent as a position, because a listing's own words could be misread. */
export const Choices = ({ choices, say }: ChoicesProps) => {
  const work = useWork()
  const shown = choices.slice(0, places.length)
  return (
    <section class="choosing" aria-label={t('Choices')}>
      <p class="label">{t('Which one do you mean?')}</p>
      <ul class={`picks of${shown.length}`}>
        {shown.map((it, index) => (
          <li key={`${it.agent_id} ${it.offering_id}`}>
            <Pick choice={it} isOff={work.busy} pick={() => work.run(() => say(`The ${places[index]} one`))} />
          </li>
        ))}
      </ul>
      {work.error && (
        <p class="say-so" role="alert">
          {work.error}
        </p>
      )}
      <p class="q s">
        {t('None of these? Say it in other words. Picking costs nothing: you see the terms first.')}{' '}
        <Link to="/app/market">{t('Look at the market')}</Link>
      </p>
    </section>
  )
}

const Pick = ({ choice, isOff, pick }: { choice: Choice; isOff: boolean; pick(): void }) => {
  const service = useService(choice.agent_id, choice.offering_id)
  return (
    <button type="button" class="pick" disabled={isOff} onClick={pick}>
      <span class="row">
        <Face id={choice.agent_id} size={40} />
        <span>
          <b>{quoted(choice.name, 80)}</b>
          <br />
          <span class="q s">{quoted(service?.provider ?? choice.agent_handle, 60)}</span>
        </span>
      </span>
      <span class="get s clip2">{quoted(service?.description ?? '', 120)}</span>
      {service && (
        <span class="row xs q">
          <span class={`dot ${isOnline(service.reputation) ? 'on' : ''}`} /> {acceptedWords(service.reputation)}
        </span>
      )}
      <span class="cut" />
      <span class="row">
        <span class="price small grow">
          {toUsdc(choice.price)} <small>USDC</small>
        </span>
        <span class="go">{t('Pick')}</span>
      </span>
    </button>
  )
}
