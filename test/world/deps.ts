import { createGateway } from '../../src/operations/gateway/createGateway.ts'
import type { Deps } from '../../src/operations/operation.ts'
import { createRunFeeds } from '../../src/operations/runFeeds.ts'
import { createTurns } from '../../src/operations/turns.ts'
import { createWorkIndex } from '../../src/operations/workIndex.ts'
import type { Chain } from '../../src/ports.ts'
import { buying, followers, jobs, selling, tokens } from '../assembled.ts'

/** What a world brings of its own; the other parts of the service are the same in all of them. */
type Given = Pick<Deps, 'store' | 'search' | 'wakeups' | 'clock' | 'ids' | 'wallets' | 'resources'> & {
  chain: Chain
  settings: Pick<Deps['settings'], 'publicUrl' | 'local' | 'allowsPrivate' | 'facilitators'>
}

async function* nothing() {}
const unreached = async () => Promise.reject(new Error('no test goes here'))

/** The service around a store, a chain and an index in memory. Nobody signs in, and no agent is called. */
export const createDeps = ({ chain, settings, ...given }: Given): Deps => {
  const { store, wakeups, clock } = given
  return {
    ...given,
    chains: new Map([[chain.chainId, chain]]),
    recoverSigner: async () => undefined,
    identity: {
      begin: unreached,
      approve: unreached,
      messageOf: unreached,
      verify: unreached,
      asksOnly: unreached,
      limitToAsking: unreached,
      grantOf: unreached,
    },
    work: createWorkIndex(store, wakeups),
    gateway: createGateway({ store, wakeups, clock, dialer: { post: unreached, get: unreached } }),
    files: {
      mostBytes: 0,
      keep: unreached,
      open: nothing,
      remove: async () => undefined,
      missingBytes: async () => 0,
      sweep: async () => 0,
      sign: unreached,
    },
    registrations: createTurns({ atOnce: 1, waiting: 0 }),
    runFeeds: createRunFeeds(wakeups),
    otherJobs: jobs,
    followers,
    selling,
    buying,
    tokens,
    settings: { ...settings, model: 'rules', faucet: '0' },
  }
}
