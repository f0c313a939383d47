/**
 * Deliveries of a test job that hires meet after a fault. `attempts` are the attempts with which the job is delivered, one for
 * each delivery. So many completions as `losses` says are refused with 503, as if their connection had broken.
 */
export const testDeliveries = {
  once: { attempts: [1], losses: 0 },
  /** The same delivery arrives twice. */
  twice: { attempts: [1, 1], losses: 0 },
  /** The lease ends while the agent works, so the job is offered again. */
  stale: { attempts: [1, 2], losses: 0 },
  /** The agent's answer does not arrive. It sends the answer again, or gets the job again. */
  lost: { attempts: [1, 2], losses: 1 },
  /** The agent restarted in mid-job, so it knows only the second attempt. */
  restarted: { attempts: [2], losses: 0 },
} as const

export type TestDelivery = keyof typeof testDeliveries
export const testDeliveryNames = ['once', 'twice', 'stale', 'lost', 'restarted'] as const satisfies TestDelivery[]

/** The attempt of the newest delivery of a test job. */
export const attemptOf = ({ delivery, deliveries }: { delivery: TestDelivery; deliveries: number }): number =>
  testDeliveries[delivery].attempts[Math.max(0, deliveries - 1)] ?? 1
