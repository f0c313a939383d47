import fc from 'fast-check'
import type { ButlerState } from '../../graphs/butler/state.ts'
import type { Plan } from '../../src/domain/plans/plan.ts'
import { type Proposal, toDigest, toTag } from '../../src/domain/runs/proposal.ts'
import type { PurchaseProposal } from '../../src/domain/runs/purchaseTerms.ts'

const agentId = `97:0x${'8004'.repeat(10)}:7`

const terms = {
  chainId: 97,
  agentId,
  agentHandle: 'scribe',
  offeringId: 'notes',
  offeringName: 'Notes',
  offeringVersion: 1,
  input: '{}',
  price: '1.5',
  fee: '0',
  total: '1.5',
  slaMinutes: 10,
}

export const proposal: Proposal = {
  ...terms,
  agentName: 'Scribe',
  youGet: [],
  judgedBy: [],
  checklist: [],
  timeline: { deliveredBy: 1, refundedBy: 2 },
  alternatives: [],
  reason: 'It fits.',
  made: [],
  left_out: [],
  gas: { amount: '0', payer: 'platform' },
  mandate: null,
  tag: toTag(terms),
  digest: toDigest(terms),
  lapsesAt: 3,
}

export const purchase: PurchaseProposal = {
  ...{ kind: 'purchase', chainId: 97, url: 'https://seller.example/weather', method: 'GET', total: '0.02' },
  ...{ payee: `0x${'5e'.repeat(20)}`, asset: `0x${'a5'.repeat(20)}`, payer: `0x${'bb'.repeat(20)}`, description: '' },
  ...{ mandate: null, digest: '0a1b2c3d', lapsesAt: 3 },
}

export const plan: Plan = {
  ...{ kind: 'plan', chainId: 97, steps: [], unplanned: [], total: '0', withinMinutes: 1, mandate: null },
  ...{ digest: '0a1b2c3d', lapsesAt: 3 },
}

/** The state of a run with one message, before any node has run. */
export const fresh: ButlerState = {
  runId: 'run-1',
  chainId: 97,
  target: undefined,
  said: ['Take notes of my talk'],
  turn: 0,
  heard: undefined,
  timeZone: undefined,
  files: [],
  words: '',
  language: '',
  until: 0,
  called: undefined,
  most: undefined,
  wishes: [],
  isAnswered: false,
  stage: 'none',
  act: undefined,
  to: 'search',
  choices: [],
  instead: undefined,
  offered: '',
  avoid: undefined,
  isList: false,
  next: [],
  want: '',
  isAmended: false,
  asks: {},
  lead: '',
  task: '',
  maxPrice: undefined,
  agent: undefined,
  withinMinutes: undefined,
  category: undefined,
  found: [],
  missed: [],
  pick: undefined,
  reason: '',
  input: {},
  questions: [],
  open: {},
  proposal: undefined,
  resource: undefined,
  purchase: undefined,
  drafts: [],
  unplanned: [],
  skipped: undefined,
  planned: undefined,
  step: undefined,
  seen: '',
  progress: '',
  isPlanOver: false,
  isBought: false,
  round: 0,
  before: undefined,
  voided: '',
  notice: '',
  asked: false,
  ordered: false,
  decision: undefined,
  jobId: undefined,
  delivered: false,
  verdict: undefined,
  judged: 0,
  revised: false,
  content: '',
}

const ref = { agentId, offeringId: 'notes', coverage: 1 }
const maybe = <T>(...values: T[]) => fc.constantFrom(undefined, ...values)

/** Generates any state of the graph, including unreachable ones. */
export const states: fc.Arbitrary<ButlerState> = fc
  .record({
    to: fc.constantFrom<ButlerState['to'][]>('answer', 'search', 'quote', 'fill', 'plan', 'consent', 'reply'),
    stage: fc.constantFrom<ButlerState['stage'][]>('none', 'ask', 'proposal', 'choices'),
    isAnswered: fc.boolean(),
    pick: maybe(ref),
    questions: fc.array(fc.constant({ field: 'talk', words: 'Which talk?' }), { maxLength: 2 }),
    proposal: maybe(proposal),
    purchase: maybe(purchase),
    planned: maybe(plan),
    step: maybe(2),
    isPlanOver: fc.boolean(),
    isBought: fc.boolean(),
    asked: fc.boolean(),
    ordered: fc.boolean(),
    decision: maybe<ButlerState['decision']>('yes', 'no', 'change', 'lapsed'),
    jobId: maybe('', 'job-1'),
    delivered: fc.boolean(),
    verdict: maybe<ButlerState['verdict']>(
      { pass: true, errors: [] },
      { pass: true, errors: ['short'], doubted: true },
      { pass: false, errors: ['#: no'] },
    ),
    revised: fc.boolean(),
    content: fc.constantFrom('', 'words'),
    voided: fc.constantFrom('', 'a1b2c3d4'),
    notice: fc.constantFrom('', 'words'),
    said: fc.array(fc.string()),
    found: fc.array(fc.constant(ref)),
    round: fc.nat(),
  })
  .map(it => ({ ...fresh, ...it }))
