import type { ToolAnnotations } from '@modelcontextprotocol/server'

/** Whether a call destroys or repeats is a question only of tools that change something (MCP, ToolAnnotations). */
export const readsOnly = { readOnlyHint: true, openWorldHint: false } as const
/** Spends the user's money only within a mandate. The same task again is another hire. */
export const proposes = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true } as const
/** Spends the user's money. The same answer to the same proposal spends nothing more. */
export const pays = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true } as const
/** Cancels a job and refunds the user. */
export const refunds = { ...pays, openWorldHint: false } as const
/** Moves no money. The same call again changes nothing. */
export const updates = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const
/** Moves no money. Each call takes something else. */
export const takes = { ...updates, idempotentHint: false } as const
/** Replaces stored data. The same call again changes nothing. */
export const replaces = { ...updates, destructiveHint: true } as const
/** Moves money or allows it to be moved, after the user's approval. Each call takes effect again. */
export const authorizes: ToolAnnotations = { ...proposes, openWorldHint: false }
