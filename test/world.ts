import { toButlerDeps } from '../src/butlerDeps.ts'
import type { Address } from '../src/domain/hex.ts'
import { sha256 } from '../src/domain/json.ts'
import type { Offering } from '../src/domain/offerings/offering.ts'
import { createRules } from '../src/language/reader/rules.ts'
import { createGateway } from '../src/operations/gateway/createGateway.ts'
import { openJob } from '../src/operations/hires/openJob.ts'
import { writeProposal } from '../src/operations/hires/writeProposal.ts'
import type { Deps } from '../src/operations/operation.ts'
import { createRunFeeds } from '../src/operations/runFeeds.ts'
import { createTurns } from '../src/operations/turns.ts'
import { createWorkIndex } from '../src/operations/workIndex.ts'
import type { Job } from '../src/ports.ts'
import { createWakeups } from '../src/process/wakeups.ts'
import { openStore } from '../src/store/store.ts'
import { sendTransactions } from '../src/workers/sendTransactions.ts'
import { watchChain } from '../src/workers/watchChain.ts'
import { buying, followers, jobs, selling, tables, tokens } from './assembled.ts'
import { readerDir } from './reader.ts'
import { newFile } from './store/spot.ts'
import { copySchema } from './store/template.ts'
import { createScriptedChain } from './world/chain.ts'
import { createMemorySearch } from './world/search.ts'

const start = Date.UTC(2026, 0, 5)
const walletOf = (text: string): Address => `0x${sha256(text).slice(0, 40)}`
const unreached = async () => Promise.reject(new Error('no test goes here'))

export const user = walletOf('user')

export type World = Awaited<ReturnType<typeof openWorld>>

/** The core with in-memory replacements for the outside: a real database, one clock, and one seed for all randomness. */
export const openWorld = async ({
  seed = 'seed',
  feeBps = 0,
  usdcDecimals = 6,
}: {
  seed?: string
  feeBps?: number
  usdcDecimals?: number
} = {}) => {
  let now = start
  const clock = { now: () => now }
  const wakeups = createWakeups()
  const { place, remove } = await newFile()
  await copySchema(place.file)
  const store = await openStore({ ...place, tables, clock, wakeups })
  const chain = createScriptedChain({ clock, seed, feeBps, usdcDecimals })
  const search = createMemorySearch()
  let fresh = 0
  const deps: Deps = {
    store,
    chains: new Map([[chain.chainId, chain]]),
    wallets: { ensure: async (role, owner) => walletOf(`${seed}:${role}:${owner}`) },
    recoverSigner: async () => undefined,
    search,
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
    resources: { ask: unreached, buy: unreached, turns: createTurns({ atOnce: 1, waiting: 1 }) },
    gateway: createGateway({ store, wakeups, clock, dialer: { post: unreached, get: unreached } }),
    registrations: createTurns({ atOnce: 1, waiting: 0 }),
    wakeups,
    runFeeds: createRunFeeds(wakeups),
    otherJobs: jobs,
    followers,
    selling,
    buying,
    tokens,
    clock,
    ids: { fresh: prefix => `${prefix}_${sha256(`${seed}:${fresh++}`).slice(0, 32)}` },
    settings: { publicUrl: 'http://127.0.0.1', local: true, model: 'rules', faucet: '0', allowsPrivate: true },
  }
  const userWallet = await deps.wallets.ensure('user', user)

  const world = {
    followers,
    store,
    chain,
    search,
    wakeups,
    deps,
    userWallet,
    butlerDeps: toButlerDeps(deps, { model: createRules({ dir: readerDir }) }),
    clock: {
      ...clock,
      pass(ms: number) {
        now += ms
      },
    },

    /** Sends USDC to a wallet, in atomic units. */
    fund(to: Address, amount: bigint) {
      chain.intrude(walletOf('somebody'), { name: 'faucet', to, amount })
      chain.mine()
    },

    /** Adds a registered agent with offerings that can be found. */
    async agent(handle: string, offerings: Offering[]) {
      const key = `${chain.chainId}:${handle}`
      const id = `${chain.chainId}:${chain.addresses.registry}:${++fresh}`
      const words = { name: handle, description: handle, endpointUrl: undefined, viaGateway: true, card: {} }
      const wallet = await deps.wallets.ensure('agent', key)
      await store.addAgent({ key, chainId: chain.chainId, handle, owner: walletOf(handle), wallet, ...words })
      await store.putOfferings(key, offerings)
      await store.setAgentId(key, id)
      await search.put(await store.offerings(id))
      return { key, id, wallet }
    },

    run: (id: string, task: string) => store.addRun({ id, conversationId: `c-${id}`, user, chainId: chain.chainId, task }),

    /** Adds a run with a job whose proposal was just accepted: the job is open and its hire decided. */
    async hired(runId: string, of: { agentId: string; offeringId: string; input?: string }): Promise<Job> {
      await world.run(runId, 'task')
      const listing = await store.listing(of.agentId, of.offeringId)
      if (!listing) throw new Error('no such listing')
      const proposal = await writeProposal(deps, { listing, input: of.input ?? '{}', reason: 'It fits.', others: [] })
      const job = await openJob(deps, runId, proposal)
      if ('refusal' in job) throw new Error(job.words)
      return job
    },

    /** Sends, mines and reads transactions until nothing more changes. */
    async pump() {
      const [send, watch] = [sendTransactions({ store, chain, followers }), watchChain({ store, chain })]
      do {
        await send.runOnce()
        chain.mine()
        await send.runOnce()
        await watch.runOnce()
      } while ((await store.activeSenders(chain.chainId)).length > 0)
    },

    async close() {
      await store.close()
      await remove()
    },
  }
  return world
}
