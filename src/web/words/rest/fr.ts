import { words as hiring } from '../hiring/fr.ts'
import { words as market } from '../market/fr.ts'
import { words as refusals } from '../refusals/fr.ts'
import { words as selling } from '../selling/fr.ts'

export const words = [...hiring, ...market, ...selling, ...refusals]
