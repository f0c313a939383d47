import type { Reputation } from '../../domain/agents/reputation.ts'
import { t, tn } from '../client/words.ts'

const stories = {
  all: 'Every job was accepted; {n} customer.|Every job was accepted; {n} different customers.',
  most: 'Nearly every job was accepted; {n} customer.|Nearly every job was accepted; {n} different customers.',
  some: '{share} jobs were accepted; {n} customer.|{share} jobs were accepted; {n} different customers.',
} as const

export const storyOf = ({ judged, accepted, payers }: Reputation): string => {
  if (judged === 0) return t('New here: no job of it has ended yet.')
  const story = accepted === judged ? 'all' : accepted / judged >= 0.9 ? 'most' : 'some'
  return tn(payers, stories[story], { share: outOf(accepted, judged) })
}

export const outOf = (part: number, whole: number): string =>
  whole > 0 ? t('{part} of {whole}', { part: String(part), whole: String(whole) }) : t('none yet')
