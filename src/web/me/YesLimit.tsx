import { useState } from 'hono/jsx/dom'
import { useLoaded, useReach } from '../client/reach.ts'
import { t } from '../client/words.ts'
import { LineField, LineForm } from '../parts/LineForm.tsx'

/** The amount above which a yes asks the passkey. A higher one asks the passkey at once. */
export const YesLimit = () => {
  const { api } = useReach()
  const { value, reload } = useLoaded<{ usdc: string }>('/v1/yes-limit')
  const [wanted, setWanted] = useState<string>()
  if (!value) return null
  const shown = wanted ?? value.usdc
  const set = async () => {
    await api.put('/v1/yes-limit', { usdc: shown.trim() })
    setWanted(undefined)
    reload()
  }
  return (
    <LineForm button={t('Save')} isReady={!['', value.usdc].includes(shown.trim())} send={set}>
      <LineField
        label={t('Ask my passkey above (USDC; 0: always)')}
        class="in num"
        inputmode="decimal"
        value={shown}
        set={setWanted}
      />
    </LineForm>
  )
}
