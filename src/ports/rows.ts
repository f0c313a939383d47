// The types of the rows. Their shapes are in the folder, which the store reads columns by.

export type * from './rows/agent.ts'
export type * from './rows/effects.ts'
export type * from './rows/job.ts'
export type * from './rows/purchase.ts'
export type * from './rows/run.ts'
