import { words as hiring } from '../hiring/tr.ts'
import { words as market } from '../market/tr.ts'
import { words as refusals } from '../refusals/tr.ts'
import { words as selling } from '../selling/tr.ts'

export const words = [...hiring, ...market, ...selling, ...refusals]
