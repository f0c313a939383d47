import type { Mutation } from './mutation.ts'
import { agreeing } from './planted/agreeing.ts'
import { allowing, rating } from './planted/allowing.ts'
import { calling } from './planted/calling.ts'
import { cheating } from './planted/cheating.ts'
import { metering } from './planted/metering.ts'
import { moving } from './planted/moving.ts'
import { paying } from './planted/paying.ts'
import { permits } from './planted/permits.ts'
import { planning } from './planted/planning.ts'
import { sending } from './planted/sending.ts'
import { serving } from './planted/serving.ts'
import { trading } from './planted/trading.ts'
import { watching } from './planted/watching.ts'

/** Deliberate bugs. Each removes one safeguard, and the checks must detect it. */
export const planted: readonly Mutation[] = [
  ...sending,
  ...watching,
  ...moving,
  ...agreeing,
  ...paying,
  ...allowing,
  ...rating,
  ...planning,
  ...serving,
  ...calling,
  ...permits,
  ...metering,
  ...trading,
  ...cheating,
]
