import type { World } from '../world.ts'
import { checkConsent, checkHires, checkTimesTold } from './consent.ts'
import { checkDeliverables } from './deliverables.ts'
import { checkFailures } from './failures.ts'
import { checkFeedback } from './feedback.ts'
import { checkMandates } from './mandates.ts'
import { checkConserved, checkGas, checkSettledOnce } from './money.ts'
import { checkPaths } from './paths.ts'
import { checkPayments } from './payments.ts'
import { checkPlans } from './plans.ts'
import { checkKeys, checkLogs, checkNonces, checkSecrets } from './rows.ts'
import { checkTrades } from './trades.ts'
import { checkUsage } from './usage.ts'
import { checkValidations } from './validations.ts'

const checks = [
  checkConserved,
  checkSettledOnce,
  checkGas,
  checkPaths,
  checkConsent,
  checkHires,
  checkTimesTold,
  checkMandates,
  checkPlans,
  checkFeedback,
  checkValidations,
  checkPayments,
  checkTrades,
  checkUsage,
  checkDeliverables,
  checkFailures,
  checkKeys,
  checkNonces,
  checkLogs,
  checkSecrets,
]

/** Checks invariants that hold at every moment. */
export const checkAlways = (world: World): string[] => checks.flatMap(check => check(world))
