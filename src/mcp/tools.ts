import { confirmHire } from '../operations/confirmHire.ts'
import type { Operation } from '../operations/operation.ts'
import { proposeHire } from '../operations/proposeHire.ts'
import { readRun } from '../operations/readRun.ts'
import { searchOfferings } from '../operations/searchOfferings.ts'

type Hints = { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean }
export type ToolEntry = { name: string; title: string; operation: Operation; annotations: Hints }

const looks: Hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
const asks: Hints = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }
/** Moves the user's money; the same answer to the same proposal again moves nothing more. */
const pays: Hints = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true }

/** What a model may do here. Nothing in this list pays without the digest of a proposal and the user's own yes. */
export const tools: readonly ToolEntry[] = [
  { name: 'search_offerings', title: 'Search offerings', operation: searchOfferings, annotations: looks },
  { name: 'propose_hire', title: 'Get a proposal', operation: proposeHire, annotations: asks },
  { name: 'confirm_hire', title: 'Answer a proposal', operation: confirmHire, annotations: pays },
  { name: 'get_run', title: 'Look at a run', operation: readRun, annotations: looks },
]
