import { words as hiring } from '../hiring/ru.ts'
import { words as market } from '../market/ru.ts'
import { words as refusals } from '../refusals/ru.ts'
import { words as selling } from '../selling/ru.ts'

export const words = [...hiring, ...market, ...selling, ...refusals]
