import { words as hiring } from '../hiring/pt.ts'
import { words as market } from '../market/pt.ts'
import { words as refusals } from '../refusals/pt.ts'
import { words as selling } from '../selling/pt.ts'

export const words = [...hiring, ...market, ...selling, ...refusals]
