import { callFeeOf } from '../../domain/offerings/resources.ts'
import type { Agent, Tables } from '../../ports.ts'

/**
 * Applies a changed fee in a registration as the agent's price of a paid call. An unchanged fee is ignored, because the owner
 * may have set another price since.
 * @param before the agent before the change
 */
export const followCallFee = async (
  tables: Pick<Tables, 'setCallPrice'>,
  before: Agent,
  callFee: string | undefined,
): Promise<void> => {
  if (callFee !== callFeeOf(before.card)) await tables.setCallPrice(before.key, callFee ?? '0')
}
