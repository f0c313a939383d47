import type { ChainEvent } from '../../ports.ts'
import { decodeEvents as decodeDialect, type MinedLog } from './dialectReading.ts'

export { lower } from '../rpc/checksum.ts'
export type { MinedLog }

/** Decodes logs of our own JobEscrow, in chain order. Events that the port does not know are dropped. */
export const decodeEvents = (logs: MinedLog[]): ChainEvent[] => decodeDialect('B', logs).filter(it => it.name !== 'BudgetSet')
