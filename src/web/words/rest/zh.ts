import { words as hiring } from '../hiring/zh.ts'
import { words as market } from '../market/zh.ts'
import { words as refusals } from '../refusals/zh.ts'
import { words as selling } from '../selling/zh.ts'

export const words = [...hiring, ...market, ...selling, ...refusals]
