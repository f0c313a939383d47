// What the inside needs of the outside. Types only. Times are epoch ms, amounts atomic units as bigint.

export type * from './ports/access.ts'
export type * from './ports/butler.ts'
export type * from './ports/chain.ts'
export type * from './ports/effects.ts'
export type * from './ports/gateway.ts'
export type * from './ports/mandates.ts'
export type * from './ports/market.ts'
export type * from './ports/model.ts'
export type * from './ports/outside.ts'
export type * from './ports/process.ts'
export type * from './ports/rows.ts'
export type * from './ports/store.ts'
