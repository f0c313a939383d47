import type { ToolAnnotations } from '@modelcontextprotocol/server'

export const looks = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const
/** Spends the user's money only within a mandate. The same task again is another hire. */
export const asks = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true } as const
/** Spends the user's money. The same answer to the same proposal spends nothing more. */
export const pays = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true } as const
/** Cancels a job and refunds the user. */
export const returns = { ...pays, openWorldHint: false } as const
/** Moves no money. The same call again changes nothing. */
export const writes = { ...looks, readOnlyHint: false } as const
/** Replaces stored data. The same call again changes nothing. */
export const replaces = { ...writes, destructiveHint: true } as const
/** Moves money or allows it to be moved, after the user's approval. Each call takes effect again. */
export const grants: ToolAnnotations = { ...asks, openWorldHint: false }
