import type { ToolAnnotations } from '@modelcontextprotocol/server'

export const looks = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const
/** Moves the user's money only inside a mandate; the same task again is another hire. */
export const asks = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true } as const
/** Moves the user's money; the same answer to the same proposal again moves nothing more. */
export const pays = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true } as const
/** Brings the user's money back, and ends a job. */
export const returns = { ...pays, openWorldHint: false } as const
/** Moves no money; the same call again changes nothing. */
export const writes = { ...looks, readOnlyHint: false } as const
/** Replaces what was there; the same call again changes nothing. */
export const replaces = { ...writes, destructiveHint: true } as const
/** Allows or moves money, each time anew, after the user's own yes. */
export const grants: ToolAnnotations = { ...asks, openWorldHint: false }
