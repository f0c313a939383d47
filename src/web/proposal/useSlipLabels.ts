import { useState } from 'hono/jsx/dom'
import { useEffect } from '../client/effects.ts'
import { englishLabels, type SlipLabels } from './slipLabels.ts'

/**
 * The labels of a slip in the language of its conversation. The other languages than English are loaded when a slip needs them.
 * @param language ISO 639 code
 */
export const useSlipLabels = (language: string): SlipLabels => {
  const [labels, setLabels] = useState(englishLabels)
  useEffect(() => {
    if (language !== 'en') void import('./otherSlipLabels.ts').then(it => setLabels(it.slipLabelsIn(language)))
  }, [language])
  return labels
}
