// A model of the ERC-8183 table: which call is allowed in which state, to whom, and when.

export type Party = 'client' | 'provider' | 'evaluator' | 'stranger'
export const parties: Party[] = ['client', 'provider', 'evaluator', 'stranger']
export type Status = 'open' | 'funded' | 'submitted' | 'completed' | 'rejected' | 'expired'
/** In the order of the contract's enum. */
export const statuses: Status[] = ['open', 'funded', 'submitted', 'completed', 'rejected', 'expired']

export type ModelJob = {
  client: Party
  provider: Party | undefined
  evaluator: Party
  budget: bigint
  expiredAt: bigint
  submittedAt: bigint
  status: Status
}

export type Ledger = Record<Party | 'escrow' | 'treasury', bigint>
export type Model = { jobs: ModelJob[]; ledger: Ledger }

/** The terms of a new job, and the arguments of a call besides its job. */
export type Words = { provider: Party | undefined; evaluator: Party; lifetime: bigint; amount: bigint }
export type Move = 'setProvider' | 'setBudget' | 'fund' | 'submit' | 'complete' | 'completeUsed' | 'reject' | 'claimRefund'
export type Creation = 'createJob' | 'createAndFund'

type Circumstances = { job: ModelJob; caller: Party; words: Words; now: bigint; ledger: Ledger }
type Rule = {
  in: Status[]
  /** The parties that may call; anyone when absent. */
  by?: (job: ModelJob) => (Party | undefined)[]
  /** Further refusals, in the order in which the contract checks them. */
  unless: [refusal: string, is: (at: Circumstances) => boolean][]
  to: (at: Circumstances) => Partial<ModelJob>
}

const graceSeconds = 3_600n
const uint96 = 2n ** 96n
const feeBps = 500n

export const refundableAt = ({ status, expiredAt, submittedAt }: ModelJob): bigint => {
  const judged = submittedAt + graceSeconds
  return status === 'submitted' && judged > expiredAt ? judged : expiredAt
}

const isPast = ({ job, now }: Circumstances) => now >= job.expiredAt

export const rules: Record<Move, Rule> = {
  setProvider: {
    in: ['open'],
    by: job => [job.client],
    unless: [
      ['ProviderAlreadySet', ({ job }) => job.provider !== undefined],
      ['ProviderMissing', ({ words }) => words.provider === undefined],
      ['ProviderIsEvaluator', ({ job, words }) => words.provider === job.evaluator],
    ],
    to: ({ words }) => ({ provider: words.provider }),
  },
  setBudget: {
    in: ['open'],
    by: job => [job.client, job.provider],
    unless: [['SafeCastOverflowedUintDowncast', ({ words }) => words.amount >= uint96]],
    to: ({ words }) => ({ budget: words.amount }),
  },
  fund: {
    in: ['open'],
    by: job => [job.client],
    unless: [
      ['ProviderMissing', ({ job }) => job.provider === undefined],
      ['BudgetMismatch', ({ job, words }) => job.budget !== words.amount],
      ['BudgetMissing', ({ job }) => job.budget === 0n],
      ['PastExpiry', isPast],
      ['ERC20InsufficientBalance', ({ job, ledger }) => ledger[job.client] < job.budget],
    ],
    to: () => ({ status: 'funded' }),
  },
  submit: {
    in: ['funded'],
    by: job => [job.provider],
    unless: [['PastExpiry', isPast]],
    to: ({ now }) => ({ status: 'submitted', submittedAt: now }),
  },
  complete: { in: ['submitted'], by: job => [job.evaluator], unless: [], to: () => ({ status: 'completed' }) },
  completeUsed: {
    in: ['submitted'],
    by: job => [job.evaluator],
    unless: [['UsedAboveBudget', ({ job, words }) => words.amount > job.budget]],
    to: () => ({ status: 'completed' }),
  },
  reject: {
    in: ['open', 'funded', 'submitted'],
    by: job => [job.status === 'open' ? job.client : job.evaluator],
    unless: [],
    to: () => ({ status: 'rejected' }),
  },
  claimRefund: {
    in: ['funded', 'submitted'],
    unless: [['NotRefundableYet', ({ job, now }) => now < refundableAt(job)]],
    to: () => ({ status: 'expired' }),
  },
}

type Call = Omit<Circumstances, 'job' | 'ledger'>
type OfJob = Call & { jobId: number }

/** The reason why a move is refused, or undefined. */
export const refusalOf = (model: Model, move: Move, { jobId, ...call }: OfJob): string | undefined => {
  const job = model.jobs[jobId - 1]
  if (!job) return 'JobNotFound'
  const rule = rules[move]
  if (!rule.in.includes(job.status)) return 'WrongStatus'
  if (rule.by && !rule.by(job).includes(call.caller)) return 'Unauthorized'
  return rule.unless.find(([, is]) => is({ ...call, job, ledger: model.ledger }))?.[0]
}

/** Makes a move of a job, or returns the reason why it is refused. */
export const tryMove = (model: Model, move: Move, { jobId, ...call }: OfJob): string => {
  const refused = refusalOf(model, move, { jobId, ...call })
  const job = model.jobs[jobId - 1]
  if (refused || !job) return refused ?? 'JobNotFound'
  const after = { ...job, ...rules[move].to({ ...call, job, ledger: model.ledger }) }
  model.jobs[jobId - 1] = after
  settle(model, { before: job.status, job: after, used: move === 'completeUsed' ? call.words.amount : job.budget })
  return 'accepted'
}

/** Creates a job, funded at once for a hire in one call, or returns the reason why it is refused. */
export const tryCreate = (model: Model, creation: Creation, { caller, words, now }: Call): string => {
  const isHire = creation === 'createAndFund'
  const { provider, evaluator, lifetime, amount } = words
  if (isHire && provider === undefined) return 'ProviderMissing'
  if (isHire && amount === 0n) return 'BudgetMissing'
  if (provider === evaluator) return 'ProviderIsEvaluator'
  if (lifetime <= 300n || lifetime > 365n * 86_400n) return 'ExpiryOutOfRange'
  if (isHire && amount >= uint96) return 'SafeCastOverflowedUintDowncast'
  if (isHire && model.ledger[caller] < amount) return 'ERC20InsufficientBalance'
  const status = isHire ? 'funded' : 'open'
  const job: ModelJob = {
    ...{ client: caller, provider, evaluator, status },
    ...{ budget: isHire ? amount : 0n, expiredAt: now + lifetime, submittedAt: 0n },
  }
  model.jobs.push(job)
  settle(model, { before: 'open', job, used: job.budget })
  return 'accepted'
}

type Settling = { before: Status; job: ModelJob; used: bigint }

/** Transfers the money that a change of status transfers. */
const settle = (model: Model, { before, job, used }: Settling) => {
  const { ledger } = model
  const { client, provider, budget, status } = job
  if (before === status || !['funded', 'completed', 'rejected', 'expired'].includes(status)) return
  if (status === 'funded') {
    ledger.escrow += budget
    ledger[client] -= budget
  } else if (before !== 'open') {
    ledger.escrow -= budget
    const paid = status === 'completed' ? used : 0n
    const fee = (paid * feeBps) / 10_000n
    ledger.treasury += fee
    ledger[provider ?? client] += paid - fee
    ledger[client] += budget - paid
  }
}
