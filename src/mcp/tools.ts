import { z } from 'zod'
import { listAgents, readAgent } from '../operations/agents/readAgents.ts'
import { cancelJob } from '../operations/hires/cancelJob.ts'
import { proposeHire } from '../operations/hires/proposeHire.ts'
import { listMyJobs, readJob } from '../operations/jobs/readJobs.ts'
import { listMandates } from '../operations/mandates/mandates.ts'
import { listRankings } from '../operations/market/listRankings.ts'
import { searchOfferings } from '../operations/market/searchOfferings.ts'
import { appealRun } from '../operations/runs/appealRun.ts'
import { readPayments } from '../operations/runs/readPayments.ts'
import { readRun, readRunEvents } from '../operations/runs/readRun.ts'
import { readWallet } from '../operations/wallets/readWallet.ts'
import { proposes, readsOnly, refunds, updates } from './annotations.ts'
import { approveUrlOf } from './approval.ts'
import * as market from './marketView.ts'
import { providerTools } from './providerTools.ts'
import { eventView, runView, showEvents, showRun, showRunPart } from './runView.ts'
import { onChain, type ToolEntry, tool } from './tool.ts'
import { workTools } from './workTools.ts'

const oneRun = { run_id: z.string().max(100) }

/** The tools of the core that need no yes. None of them spends money without a mandate of the user. */
export const coreTools: readonly ToolEntry[] = [
  tool({
    name: 'search_offerings',
    title: 'Search offerings',
    operation: searchOfferings,
    annotations: readsOnly,
    description: 'Search what agents offer, by what you need done. Costs nothing.',
    input: z.object({
      query: searchOfferings.input.shape.query,
      ...onChain,
      max_price: z
        .union([z.string(), z.number().transform(String)])
        .optional()
        .describe('USDC'),
      limit: z.number().int().min(1).max(50).default(market.rowsAtOnce),
    }),
    output: z.object({ offerings: z.array(market.hitRow), outside: z.array(market.outsideRow).optional() }),
    show: market.showHits,
  }),
  tool({
    name: 'propose_hire',
    title: 'Get a proposal',
    operation: proposeHire,
    annotations: proposes,
    description:
      'Ask for a proposal: who does the task, price, deadline. Nothing is hired, unless a mandate of the user covers it. ' +
      'To answer a question, call again with conversation_id.',
    input: proposeHire.input.extend(onChain),
    output: runView,
    link: approveUrlOf,
    show: showRun,
  }),
  tool({
    name: 'cancel_hire',
    title: 'Cancel a hire',
    operation: cancelJob,
    annotations: refunds,
    description: 'Cancel a job that its agent has not picked up yet; the money is refunded.',
    input: cancelJob.input,
    output: runView,
    show: showRun,
  }),
  tool({
    name: 'appeal_run',
    title: 'Appeal a run',
    operation: appealRun,
    annotations: updates,
    description: "Appeal an accepted deliverable within seven days. Moves no money; lowers the agent's reputation.",
    input: appealRun.input,
    output: appealRun.output,
    show: view => ({ view }),
  }),
  tool({
    name: 'get_run',
    title: 'Get a run',
    operation: readRun,
    annotations: readsOnly,
    description: 'The state of a run: question, proposal, job, deliverable.',
    input: z.object({
      ...oneRun,
      deliverable_from: z.number().int().min(0).default(0).describe('Character to read on from'),
    }),
    toInput: ({ run_id }) => ({ run_id }),
    output: runView,
    link: approveUrlOf,
    show: (run, { args, chars, link }) => showRunPart(run, { from: args.deliverable_from, chars, link }),
  }),
  tool({
    name: 'list_run_events',
    title: 'What happened in a run',
    operation: readRunEvents,
    annotations: readsOnly,
    description: 'What happened in a run, in order.',
    input: z.object({ ...oneRun, after: z.number().int().min(0).default(0).describe('seq of the last event you know') }),
    toInput: args => ({ ...args, deliverable: 'reference' }),
    output: z.object({ run_id: z.string(), events: z.array(eventView) }),
    show: showEvents,
  }),
  tool({
    name: 'list_payments',
    title: 'Payments of a run',
    operation: readPayments,
    annotations: readsOnly,
    description: 'Escrow, payout, fee and refund of a run, each with its transaction.',
    input: readPayments.input,
    output: z.object({ payments: readPayments.output }),
    show: payments => ({ view: { payments }, rows: 'payments' }),
  }),
  tool({
    name: 'get_job',
    title: 'Get a job',
    operation: readJob,
    annotations: readsOnly,
    description: 'A job that you hired, were hired for, or that was posted.',
    input: readJob.input.extend({
      ...onChain,
      description_from: z.number().int().min(0).default(0).describe('Character to read on from'),
    }),
    toInput: ({ description_from: _from, ...args }) => args,
    output: market.jobView,
    show: market.showJob,
  }),
  tool({
    name: 'list_jobs',
    title: 'Your jobs',
    operation: listMyJobs,
    annotations: readsOnly,
    description: 'Your jobs as client, provider (jobs of your agents) or evaluator, newest first, ten at a time.',
    input: listMyJobs.input.extend({ ...onChain, from: market.from }),
    toInput: ({ from: _from, ...args }) => args,
    output: z.object({ jobs: z.array(market.jobRow), total: z.number() }),
    show: market.showJobs,
  }),
  tool({
    name: 'get_agent',
    title: 'Get an agent',
    operation: readAgent,
    annotations: readsOnly,
    description: 'One agent with its offerings.',
    input: readAgent.input.extend({ agent: readAgent.input.shape.agent.describe('Id or handle'), ...onChain, from: market.from }),
    toInput: ({ from: _from, ...args }) => args,
    output: market.agentView,
    show: market.showAgent,
  }),
  tool({
    name: 'list_agents',
    title: 'List agents',
    operation: listAgents,
    annotations: readsOnly,
    description: 'Registered agents without their offerings, newest first, ten at a time.',
    input: z.object({ ...onChain, from: market.from }),
    toInput: ({ from, chain_id }) => ({
      ...(chain_id !== undefined && { chain_id }),
      page: Math.floor(from / market.rowsAtOnce) + 1,
      pageSize: market.rowsAtOnce,
    }),
    output: z.object({ agents: z.array(market.agentRow), total: z.number() }),
    show: market.showAgents,
  }),
  tool({
    name: 'list_rankings',
    title: 'Best agents',
    operation: listRankings,
    annotations: readsOnly,
    description: 'Agents ranked by earnings, paid jobs or reputation.',
    input: listRankings.input
      .pick({ metric: true })
      .extend({ ...onChain, limit: z.number().int().min(1).max(50).default(market.rowsAtOnce) }),
    output: z.object({ rankings: listRankings.output }),
    show: rankings => ({ view: { rankings }, rows: 'rankings' }),
  }),
  tool({
    name: 'list_mandates',
    title: 'Your mandates',
    operation: listMandates,
    annotations: readsOnly,
    description: 'The limits within which the butler hires without asking, and what is left.',
    input: listMandates.input,
    output: listMandates.output,
    show: view => ({ view, rows: 'mandates' }),
  }),
  tool({
    name: 'get_wallet',
    title: 'Your wallet',
    operation: readWallet,
    annotations: readsOnly,
    description: 'Your custodial wallet and its USDC on each chain.',
    input: readWallet.input,
    output: readWallet.output,
    show: view => ({ view }),
  }),
  ...providerTools,
  ...workTools,
]
