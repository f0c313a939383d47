import { expect, test } from 'vitest'
import { processFaults, runProcessFaults } from '../faults/processes/processFaults.ts'
import { emptyRealTally } from '../faults/real/tally.ts'
import { server } from '../store/server.ts'

/** Longer than PostgreSQL keeps the session of a silent leader. `npm run fault -- --processes 2` waits longer. */
const durations = { stoppedMs: 6_000, databaseMs: 1_000, chainMs: 3_000 }
/** The moments at which the leader acts, and every fault without a kill. */
const faults = processFaults.filter(({ name }) => !/proposed|funded|stored|signed/.test(name))

test.skipIf(!server)(
  'two processes on one database lose no hire and pay none twice, whatever dies, stops or breaks',
  async () => {
    const tally = emptyRealTally()
    const { signal } = new AbortController()
    const recovered = await runProcessFaults({ processes: 2, faults, durations, signal, tell: () => undefined }, tally)
    expect(tally.violations.join('\n')).toBe('')
    expect(tally).toMatchObject({ usdcLost: 0n, usdcCreated: 0n })
    expect(recovered.map(it => it.name)).toEqual(faults.map(it => it.name))
    expect(tally.kills).toBeGreaterThan(0)
  },
  900_000,
)
