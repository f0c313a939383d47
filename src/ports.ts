



// Interfaces between the core and its adapters, as types. Rows are said once, as zod shapes in ports/rows. Times are epoch ms,
// amounts are atomic units as bigint.

export type * from './ports/access.ts'
export type * from './ports/butler.ts'
export type * from './ports/certificates.ts'
export type * from './ports/chain.ts'
export type * from './ports/effects.ts'
export type * from './ports/files.ts'
export type * from './ports/followers.ts'
export type * from './ports/gateway.ts'
export type * from './ports/history.ts'
export type * from './ports/jobs.ts'
export type * from './ports/languageModel.ts'
export type * from './ports/market.ts'
export type * from './ports/webPush.ts'
export type * from './ports/mandates.ts'
export type * from './ports/model.ts'
export type * from './ports/outside.ts'
export type * from './ports/people.ts'
export type * from './ports/plans.ts'
export type * from './ports/process.ts'
export type * from './ports/purchases.ts'
export type * from './ports/rows.ts'
export type * from './ports/store.ts'
export type * from './ports/tokens.ts'
export type * from './ports/transfers.ts'
export type * from './ports/withdrawals.ts'
