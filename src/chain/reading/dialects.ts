import { parseAbi, toEventSelector, toFunctionSelector } from 'viem'
import type { Hex } from '../../domain/hex.ts'

// ERC-8183 has six interfaces in use. They share nine functions and the events, but differ in arguments. This table holds every
// difference.

/** Events of all dialects that concern money or parties. Only our own escrow emits `JobDescribed` and `UnusedReturned`. */
const jobEvents = parseAbi([
  'event JobCreated(uint256 indexed jobId, address indexed client, address indexed provider, address evaluator, uint256 expiredAt)',
  'event JobCreated(uint256 indexed jobId, address indexed client, address indexed provider, address evaluator, uint256 expiredAt, address hook)',
  'event JobDescribed(uint256 indexed jobId, string description)',
  'event BudgetSet(uint256 indexed jobId, uint256 amount)',
  'event BudgetSet(uint256 indexed jobId, address indexed token, uint256 amount)',
  'event JobFunded(uint256 indexed jobId, address indexed client, uint256 amount)',
  'event JobFunded(uint256 indexed jobId, address indexed client, address indexed provider, uint256 amount)',
  'event JobSubmitted(uint256 indexed jobId, address indexed provider, bytes32 deliverable)',
  'event PaymentReleased(uint256 indexed jobId, address indexed provider, uint256 amount)',
  'event Refunded(uint256 indexed jobId, address indexed client, uint256 amount)',
  'event UnusedReturned(uint256 indexed jobId, address indexed client, uint256 amount)',
])

/** Layouts of the `getJob` result: the field order of the drafts, possibly with further fields, or packed for storage. */
export const jobLayouts = {
  flat: parseAbi([
    'function getJob(uint256 jobId) view returns ((uint256 id, address client, address provider, address evaluator, string description, uint256 budget, uint256 expiredAt, uint8 status))',
  ]),
  packed: parseAbi([
    'function getJob(uint256 jobId) view returns ((address client, uint8 status, address provider, uint48 expiredAt, address evaluator, address hook, uint256 budget, string description))',
  ]),
}

const created = 'JobCreated(uint256,address,address,address,uint256)'
const createdWithHook = 'JobCreated(uint256,address,address,address,uint256,address)'
const funded = 'JobFunded(uint256,address,uint256)'
const ends = [
  'JobSubmitted(uint256,address,bytes32)',
  'PaymentReleased(uint256,address,uint256)',
  'Refunded(uint256,address,uint256)',
]
const unused = 'UnusedReturned(uint256,address,uint256)'
const reads = { claimRefund: 'claimRefund(uint256)', getJob: 'getJob(uint256)' }
const judgements = {
  submit: 'submit(uint256,bytes32,bytes)',
  complete: 'complete(uint256,bytes32,bytes)',
  reject: 'reject(uint256,bytes32,bytes)',
  ...reads,
}
const createJobWithHook = 'createJob(address,address,uint256,string,address)'
const setBudget = 'setBudget(uint256,uint256,bytes)'
const fundExpected = 'fund(uint256,uint256,bytes)'

const table = {
  A: {
    from: 'the first draft without hooks (dcrapis/ERC-ACP, AgenticCommerce)',
    functions: {
      createJob: 'createJob(address,address,uint256,string)',
      setProvider: 'setProvider(uint256,address)',
      setBudget: 'setBudget(uint256,uint256)',
      fund: 'fund(uint256,uint256)',
      submit: 'submit(uint256,bytes32)',
      complete: 'complete(uint256,bytes32)',
      reject: 'reject(uint256,bytes32)',
      ...reads,
    },
    funded,
    events: [created, 'BudgetSet(uint256,uint256)', ...ends],
    layout: 'flat',
  },
  // The text of the standard has no hook in JobCreated, its reference contract has one. Both are decoded.
  B: {
    from: 'the text of the standard, and our own JobEscrow',
    functions: {
      createJob: createJobWithHook,
      setProvider: 'setProvider(uint256,address,bytes)',
      setBudget,
      fund: fundExpected,
      ...judgements,
    },
    funded,
    events: [created, createdWithHook, 'JobDescribed(uint256,string)', 'BudgetSet(uint256,uint256)', ...ends, unused],
    layout: 'flat',
  },
  C: {
    from: 'the reference once embedded in the standard',
    functions: {
      createJob: createJobWithHook,
      setProvider: 'setProvider(uint256,address)',
      setBudget,
      fund: 'fund(uint256,bytes)',
      ...judgements,
    },
    funded,
    events: [createdWithHook, 'BudgetSet(uint256,uint256)', ...ends],
    layout: 'flat',
  },
  D: {
    from: 'the base contracts with a token for each job (erc-8183/base-contracts)',
    functions: {
      createJob: 'createJob(address,address,uint256,string,address,uint256)',
      setProvider: 'setProvider(uint256,address,uint256)',
      setBudget: 'setBudget(uint256,address,uint256,bytes)',
      fund: fundExpected,
      ...judgements,
    },
    funded,
    events: [createdWithHook, 'BudgetSet(uint256,address,uint256)', ...ends],
    layout: 'flat',
  },
  E: {
    from: 'the deployment of Virtuals (acp-node-v2)',
    functions: {
      createJob: createJobWithHook,
      setProvider: 'setProvider(uint256,address)',
      setBudget,
      fund: fundExpected,
      ...judgements,
    },
    funded,
    events: [createdWithHook, 'BudgetSet(uint256,uint256)', ...ends],
    layout: 'packed',
  },
  F: {
    from: 'the kernel of BNB Chain (bnb-chain/apex-contracts)',
    functions: {
      createJob: createJobWithHook,
      setProvider: 'setProvider(uint256,address,bytes)',
      setBudget,
      fund: fundExpected,
      ...judgements,
    },
    funded: 'JobFunded(uint256,address,address,uint256)',
    events: [createdWithHook, 'BudgetSet(uint256,uint256)', ...ends],
    layout: 'flat',
  },
} as const

export type DialectName = keyof typeof table
type FunctionName = keyof (typeof table)['A']['functions']

export type Dialect = {
  name: DialectName
  /** The origin of the interface, as text for people. */
  from: string
  selectors: Record<FunctionName, Hex>
  /** topic0 of JobFunded. It alone distinguishes dialect F. */
  fundedTopic: Hex
  events: (typeof jobEvents)[number][]
  layout: keyof typeof jobLayouts
}

const toDialect = (name: DialectName): Dialect => {
  const { from, functions, funded, events, layout } = table[name]
  const signatures: string[] = [funded, ...events]
  const topics = new Set(signatures.map(it => toEventSelector(it)))
  return {
    name,
    from,
    selectors: {
      createJob: toFunctionSelector(functions.createJob),
      setProvider: toFunctionSelector(functions.setProvider),
      setBudget: toFunctionSelector(functions.setBudget),
      fund: toFunctionSelector(functions.fund),
      submit: toFunctionSelector(functions.submit),
      complete: toFunctionSelector(functions.complete),
      reject: toFunctionSelector(functions.reject),
      claimRefund: toFunctionSelector(functions.claimRefund),
      getJob: toFunctionSelector(functions.getJob),
    },
    fundedTopic: toEventSelector(funded),
    events: jobEvents.filter(it => topics.has(toEventSelector(it))),
    layout,
  }
}

export const dialects: Record<DialectName, Dialect> = {
  A: toDialect('A'),
  B: toDialect('B'),
  C: toDialect('C'),
  D: toDialect('D'),
  E: toDialect('E'),
  F: toDialect('F'),
}

/** Detects the dialect of a contract by the selectors and the topic in its runtime code; undefined for none. */
export const dialectOf = (code: Hex): Dialect | undefined =>
  Object.values(dialects).find(({ selectors: { createJob, setProvider, setBudget, fund }, fundedTopic }) =>
    [createJob, setProvider, setBudget, fund, fundedTopic].every(it => code.includes(it.slice(2))),
  )
