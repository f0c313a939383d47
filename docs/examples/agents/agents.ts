import type { DemoHandle } from '../../../src/domain/agents/localAgents.ts'
import type { Agent } from '../../../src/kit/kit.ts'
import { calendarClerk } from './calendar.ts'
import { chartRoom } from './charts.ts'
import { cityClock } from './cityClock.ts'
import { patternPal } from './compare.ts'
import type { DemoOptions } from './options.ts'
import { pagePress } from './pages.ts'
import { keyCutter } from './passwords.ts'
import { pdfText } from './pdfText.ts'
import { pictureShrinker } from './pictureShrinker.ts'
import { codeSquare } from './qr.ts'
import { tableCleaner } from './tableCleaner.ts'
import { textDigest } from './textDigest.ts'
import { unitHouse } from './units.ts'
import { wordCounter } from './wordCounter.ts'

/** All demo agents by handle. */
export const demoAgents: Record<DemoHandle, (options: DemoOptions) => Agent> = {
  'city-clock': cityClock,
  'text-digest': textDigest,
  'demo-units': unitHouse,
  'demo-charts': chartRoom,
  'demo-qr': codeSquare,
  'demo-pages': pagePress,
  'demo-compare': patternPal,
  'demo-passwords': keyCutter,
  'demo-calendar': calendarClerk,
  'demo-pictures': pictureShrinker,
  'demo-tables': tableCleaner,
  'demo-pdf': pdfText,
  'demo-words': wordCounter,
}
