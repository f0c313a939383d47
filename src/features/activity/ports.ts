import type { Address, Hex } from '../../domain/hex.ts'
import type { Tables, UsdcTransfer } from '../../ports.ts'
import type { Block, Cursor } from '../../workers/followBlocks.ts'

/** A transfer as one wallet sees it: the amount is negative where the wallet paid. */
export type Movement = Omit<UsdcTransfer, 'from' | 'to'> & { chainId: number; wallet: Address; other: Address }

/** A movement with what our rows say about its transaction. Ids are undefined where it is not ours. */
export type ToldMovement = Movement & {
  /** Its position, which ascends in the order of reading. */
  seq: number
  /** The key of the posting that books exactly this amount: `job:<id>:escrow`. */
  posting: string | undefined
  jobId: string | undefined
  runId: string | undefined
  withdrawalId: string | undefined
}

type Moved = { from: Cursor; to: Block }

export type ActivityTables = {
  transferCursor(chainId: number): Promise<{ number: bigint; hash: Hex } | undefined>
  /** Stores movements of which nobody is told and moves the cursor, in one statement; false after another reader. */
  keepMovements(chainId: number, movements: Movement[], of: Moved): Promise<boolean>
  /**
   * Stores movements and moves the cursor, unless another reader has moved it away from `from`.
   * @returns those that were not stored before; undefined after another reader
   */
  addMovements(chainId: number, movements: Movement[], of: Moved): Promise<Movement[] | undefined>
  /** Deletes what was read above the block `to`, and moves the cursor there. */
  dropMovements(chainId: number, of: Moved): Promise<boolean>
  /** Blocks with stored movements, newest first. */
  movementBlocks(chainId: number, limit: number): Promise<{ number: bigint; hash: Hex }[]>
  /** Custodial wallets of this service, at most so many. */
  firstWallets(limit: number): Promise<Address[]>
  /** Those of these accounts that are custodial wallets. */
  walletsAmong(accounts: Address[]): Promise<Address[]>
  /** The movements of a wallet below a position, newest first. */
  movements(of: { wallet: Address; before: number | undefined; limit: number }): Promise<ToldMovement[]>
}

export const activityTables = (tables: object): ActivityTables => tables as Tables & ActivityTables
