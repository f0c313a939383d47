import { words as hiring } from '../hiring/it.ts'
import { words as market } from '../market/it.ts'
import { words as refusals } from '../refusals/it.ts'
import { words as selling } from '../selling/it.ts'

export const words = [...hiring, ...market, ...selling, ...refusals]
