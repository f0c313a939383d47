import { words as hiring } from '../hiring/es.ts'
import { words as market } from '../market/es.ts'
import { words as refusals } from '../refusals/es.ts'
import { words as selling } from '../selling/es.ts'

export const words = [...hiring, ...market, ...selling, ...refusals]
