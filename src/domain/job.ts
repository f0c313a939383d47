/** The life of a job. This table is the diagram: a move not written here cannot happen. */
export const moves = {
  open: { fund: 'escrowed', cancel: 'cancelled' },
  escrowed: { queue: 'queued', expire: 'expired' },
  queued: { lease: 'leased', submit: 'submitted', expire: 'expired' },
  leased: { submit: 'submitted', lapse: 'queued', fail: 'rejected', expire: 'expired' },
  submitted: { accept: 'settling', revise: 'queued', reject: 'rejected', expire: 'expired' },
  settling: { confirm: 'settled', refund: 'refunded' },
  rejected: { refund: 'refunded' },
  expired: { refund: 'refunded' },
  settled: {},
  refunded: {},
  cancelled: {},
} as const satisfies Record<string, Partial<Record<string, string>>>

export type JobState = keyof typeof moves
export type JobEvent = { [S in JobState]: keyof (typeof moves)[S] }[JobState]

/** Why each event happens, in the words of the README's table. */
export const causes: Record<JobEvent, string> = {
  fund: 'JobFunded seen on chain',
  cancel: 'the hire transaction failed; no money moved',
  queue: 'the gateway offers it to the agent',
  lease: 'the agent polls',
  submit: 'the agent completes (also late, after its lease lapsed)',
  lapse: 'the lease ended without a deliverable; offered again',
  fail: 'the agent reports that it cannot do it',
  accept: 'the deliverable passes its checks',
  revise: 'the deliverable fails its checks and the promise leaves time',
  reject: 'the deliverable fails its checks for the last time',
  expire: 'the promise or the attempts ran out',
  confirm: 'PaymentReleased seen on chain: USDC is in the agent wallet',
  refund: 'the escrow returned the USDC to the user',
}

/** All states in the order of the table. */
export const jobStates = Object.keys(moves).filter(isJobState)

export function isJobState(text: string): text is JobState {
  return Object.hasOwn(moves, text)
}

/** Where an event leads, or undefined when the move is not allowed. */
export const next = (state: JobState, event: JobEvent): JobState | undefined => {
  const row: Partial<Record<JobEvent, JobState>> = moves[state]
  return row[event]
}

/** The states in which an event may happen. */
export const sourcesOf = (event: JobEvent): JobState[] => jobStates.filter(state => next(state, event) !== undefined)

/** No event leads out of a final state. */
export const isFinal = (state: JobState): boolean => Object.keys(moves[state]).length === 0

/** The deliverable was judged, or will never come: the butler goes on. */
export const isDelivered = (state: JobState): boolean => !['open', 'escrowed', 'queued', 'leased'].includes(state)
