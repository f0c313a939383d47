import { hiring } from '../hiring/english.ts'
import { market } from '../market/english.ts'
import { refusals } from '../refusals/english.ts'
import { selling } from '../selling/english.ts'

/** All words but those of the first load, loaded with the first view. */
export const rest = [...hiring, ...market, ...selling, ...refusals] as const
export type Rest = (typeof rest)[number]
