import { certificates } from './certificates/feature.ts'
import type { Feature } from './feature.ts'
import { jobBoard } from './jobBoard/feature.ts'
import { oauth } from './oauth/feature.ts'
import { tokens } from './tokens/feature.ts'

/** All features of the service. */
export const features: readonly Feature[] = [jobBoard, certificates, tokens, oauth]
