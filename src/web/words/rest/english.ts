import { hiring } from '../hiring/english.ts'
import { market } from '../market/english.ts'
import { selling } from '../selling/english.ts'

/** All words but those of the first load, loaded with the first view. */
export const rest = [...hiring, ...market, ...selling] as const
export type Rest = (typeof rest)[number]
