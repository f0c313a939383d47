import { callFeeOf } from '../../domain/resources.ts'
import type { Agent, Tables } from '../../ports.ts'

/**
 * Takes the fee of a changed registration as the price of a paid call. A fee that stays as it was changes nothing: the owner may
 * have set another price since.
 * @param before the agent as it was registered
 */
export const followCallFee = async (
  tables: Pick<Tables, 'setCallPrice'>,
  before: Agent,
  callFee: string | undefined,
): Promise<void> => {
  if (callFee !== callFeeOf(before.card)) await tables.setCallPrice(before.key, callFee ?? '0')
}
