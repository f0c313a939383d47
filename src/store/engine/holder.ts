/** Times on the monotonic clock: `until` is that of the renewal, `ends` that of the lease. */
type Held = { note: string; until: number; ends: number }
/** The steps of a run in one row of its history. */
export type KeptSteps = { step: number; calls: number; bytes: number; body: string }
type Left = { lease: number; kept: readonly KeptSteps[] | undefined }

/**
 * This process as a lease holder: its name, the wallets that it leases, and the histories of runs as its newest leases left them;
 * undefined for one that cannot be read.
 */
export type Holder = { name: string; held: Map<string, Held>; steps: Map<string, Left> }
