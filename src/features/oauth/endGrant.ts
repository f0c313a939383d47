import { accessOf, type Deps } from '../../operations/operation.ts'
import { grantTables, type ProgramGrant } from './ports.ts'

/**
 * Ends a grant with all of its tokens. The tokens end first: after a crash in between, the grant is still there to be ended
 * again.
 * @returns false when it had ended before
 */
export const endGrant = async (deps: Deps, { id, wallet }: Pick<ProgramGrant, 'id' | 'wallet'>): Promise<boolean> => {
  await accessOf(deps).revokeGrant(id)
  return grantTables(deps.store).endGrant(id, wallet)
}
