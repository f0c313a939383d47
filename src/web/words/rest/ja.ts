import { words as hiring } from '../hiring/ja.ts'
import { words as market } from '../market/ja.ts'
import { words as refusals } from '../refusals/ja.ts'
import { words as selling } from '../selling/ja.ts'

export const words = [...hiring, ...market, ...selling, ...refusals]
