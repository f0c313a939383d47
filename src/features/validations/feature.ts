import { get } from '../../http/route.ts'
import type { Feature } from '../feature.ts'
import { followValidations } from './decideValidation.ts'
import { listValidations, readValidation, validationTable } from './listValidations.ts'

/** Verdicts on jobs in the ERC-8004 validation registry, for offerings that ask for them. */
export const validations: Feature = {
  name: 'validations',
  routes: [get('/agents/{agent}/validations', listValidations), get('/jobs/{job_id}/validation.json', readValidation)],
  tables: [validationTable],
  follower: followValidations,
}
