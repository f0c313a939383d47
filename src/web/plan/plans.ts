export { PlanResults } from './PlanResults.tsx'
export { PlanSlip } from './PlanSlip.tsx'
