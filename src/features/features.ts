import { activity } from './activity/feature.ts'
import { certificates } from './certificates/feature.ts'
import { emailLinks } from './emailLinks/feature.ts'
import type { Feature } from './feature.ts'
import { jobBoard } from './jobBoard/feature.ts'
import { marks } from './marks/feature.ts'
import { notices } from './notices/feature.ts'
import { oauth } from './oauth/feature.ts'
import { outside } from './outside/feature.ts'
import { passkeys } from './passkeys/feature.ts'
import { sharing } from './sharing/feature.ts'
import { taskPushes } from './taskPushes/feature.ts'
import { tokens } from './tokens/feature.ts'
import { validations } from './validations/feature.ts'
import { x402Buying } from './x402Buying/feature.ts'
import { x402Selling } from './x402Selling/feature.ts'

export const features: readonly Feature[] = [
  jobBoard,
  certificates,
  tokens,
  validations,
  x402Selling,
  x402Buying,
  outside,
  oauth,
  passkeys,
  emailLinks,
  activity,
  notices,
  sharing,
  marks,
  taskPushes,
]
