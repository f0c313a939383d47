import type { SuggestionRecord as Suggestion } from '../../records/market/suggestion.ts'
import { toUsdc } from '../client/format.ts'
import { useLoaded } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { Button } from '../parts/basics.tsx'
import { faceOf } from '../parts/face.ts'
import { quoted } from '../parts/strangers.tsx'
import { Sample } from '../result/Sample.tsx'
import type { Say } from './Turns.tsx'

const maxShown = 4
/** Maximum length of a request as shown, in characters. */
const textChars = 90

/** Requests that lead to a proposal with one tap. The market has tried each of them. */
export const Suggestions = ({ say }: { say: Say }) => {
  const { value } = useLoaded<{ suggestions: Suggestion[] }>(`/suggestions?limit=${maxShown}`)
  return (
    <section class="suggested" aria-label={t('Suggestions')}>
      {value && value.suggestions.length > 0 && <p class="q xs center">{t('These work with one tap.')}</p>}
      <ul>
        {value?.suggestions.map(it => (
          <li key={it.agent_id}>
            <button type="button" class={`tile h${faceOf(it.agent_id).hue}`} onClick={() => void say(it.text)}>
              <Sample sample={it.sample} main={it.main} fallback={it.name} id={it.agent_id} />
              <span class="tile-in">
                <b class="clip2">{quoted(it.name, textChars)}</b>
                <span class="s clip2">{quoted(it.text, textChars)}</span>
                <span class="q xs num">{priceWords(it)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <Button class="link" onClick={() => void say('What can you do?')} words={t('What can I ask?')} />
    </section>
  )
}

const priceWords = ({ price, usual_seconds: usual }: Suggestion): string => {
  const words = Number(price) === 0 ? t('Free') : `${toUsdc(price)} USDC`
  return usual === undefined ? words : `${words} · ${t('usually {time}', { time: `${Math.max(1, usual)} s` })}`
}
