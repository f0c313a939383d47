import { useState } from 'hono/jsx/dom'
import { useLoaded, useReach, useWork } from '../client/reach.ts'
import { Notice, textOf } from '../parts/basics.tsx'

/** The amount above which a yes asks the passkey. A higher one asks the passkey at once. */
export const YesLimit = () => {
  const { api } = useReach()
  const { value, reload } = useLoaded<{ usdc: string }>('/v1/yes-limit')
  const [wanted, setWanted] = useState<string>()
  const work = useWork()
  if (!value) return null
  const shown = wanted ?? value.usdc
  const set = (event: Event) => {
    event.preventDefault()
    work.run(async () => {
      await api.put('/v1/yes-limit', { usdc: shown.trim() })
      setWanted(undefined)
      reload()
    })
  }
  return (
    <form class="row wd after" onSubmit={set}>
      <label class="field grow">
        <span>Ask my passkey above (USDC; 0: always)</span>
        <input
          class="in num"
          inputmode="decimal"
          autocomplete="off"
          value={shown}
          onInput={(event: Event) => setWanted(textOf(event))}
        />
      </label>
      <button type="submit" class="btn" disabled={work.busy || shown.trim() === '' || shown.trim() === value.usdc}>
        Set
      </button>
      {work.error && <Notice kind="error">{work.error}</Notice>}
    </form>
  )
}
