import { listAgents } from '../operations/agents/listAgents.ts'
import { readAgent } from '../operations/agents/readAgent.ts'
import { cancelJob } from '../operations/hires/cancelJob.ts'
import { confirmHire } from '../operations/hires/confirmHire.ts'
import { proposeHire } from '../operations/hires/proposeHire.ts'
import { listMandates } from '../operations/mandates/listMandates.ts'
import { listRankings } from '../operations/market/listRankings.ts'
import { searchOfferings } from '../operations/market/searchOfferings.ts'
import type { Operation } from '../operations/operation.ts'
import { listMyJobs } from '../operations/postings/listMyJobs.ts'
import { readJob } from '../operations/postings/readJob.ts'
import { appealRun } from '../operations/runs/appealRun.ts'
import { readPayments } from '../operations/runs/readPayments.ts'
import { readRun } from '../operations/runs/readRun.ts'
import { readRunEvents } from '../operations/runs/readRunEvents.ts'
import { readWallet } from '../operations/wallets/readWallet.ts'

type Hints = { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean }
/** `list` names the member that holds the answer of an operation which answers with a bare list: a tool answers with an object. */
export type ToolEntry = { name: string; title: string; operation: Operation; annotations: Hints; list?: string }

const looks: Hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
/** Moves the user's money only inside a mandate; the same task again is another hire. */
const asks: Hints = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }
/** Moves the user's money; the same answer to the same proposal again moves nothing more. */
export const pays: Hints = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true }
/** Brings the user's money back, and ends a job. */
const returns: Hints = { ...pays, openWorldHint: false }

/** Moves no money; said again it changes nothing. */
const appeals: Hints = { ...looks, readOnlyHint: false }

/**
 * What a model may do here. Nothing in this list pays without the digest of a proposal and the user's own yes, or a
 * mandate that the user set elsewhere: no tool sets, raises or ends one.
 */
export const tools: readonly ToolEntry[] = [
  { name: 'search_offerings', title: 'Search offerings', operation: searchOfferings, annotations: looks },
  { name: 'propose_hire', title: 'Get a proposal', operation: proposeHire, annotations: asks },
  { name: 'confirm_hire', title: 'Answer a proposal', operation: confirmHire, annotations: pays },
  { name: 'cancel_hire', title: 'Take a hire back', operation: cancelJob, annotations: returns },
  { name: 'appeal_run', title: 'Say that it was not good', operation: appealRun, annotations: appeals },
  { name: 'get_run', title: 'Look at a run', operation: readRun, annotations: looks },
  { name: 'list_run_events', title: 'What happened in a run', operation: readRunEvents, annotations: looks, list: 'events' },
  { name: 'list_payments', title: 'Payments of a run', operation: readPayments, annotations: looks, list: 'payments' },
  { name: 'get_job', title: 'Look at a job', operation: readJob, annotations: looks },
  { name: 'list_jobs', title: 'Your jobs', operation: listMyJobs, annotations: looks, list: 'jobs' },
  { name: 'get_agent', title: 'Look at an agent', operation: readAgent, annotations: looks },
  { name: 'list_agents', title: 'List agents', operation: listAgents, annotations: looks },
  { name: 'list_rankings', title: 'Best agents', operation: listRankings, annotations: looks, list: 'rankings' },
  { name: 'list_mandates', title: 'Your mandates', operation: listMandates, annotations: looks },
  { name: 'get_wallet', title: 'Your wallet', operation: readWallet, annotations: looks },
]
