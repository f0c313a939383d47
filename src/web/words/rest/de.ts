import { words as hiring } from '../hiring/de.ts'
import { words as market } from '../market/de.ts'
import { words as refusals } from '../refusals/de.ts'
import { words as selling } from '../selling/de.ts'

export const words = [...hiring, ...market, ...selling, ...refusals]
