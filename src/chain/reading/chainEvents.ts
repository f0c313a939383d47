import type { ChainEvent } from '../../ports.ts'
import { decodeEvents as decodeDialect, type MinedLog } from './dialectReading.ts'

export { lower } from '../rpc/checksum.ts'
export type { MinedLog }

/** Our own escrow's logs as events, in the order of the chain; others than those of the port are left out. */
export const decodeEvents = (logs: MinedLog[]): ChainEvent[] => decodeDialect('B', logs).filter(it => it.name !== 'BudgetSet')
