import { toButlerDeps } from '../src/butlerDeps.ts'
import type { Address } from '../src/domain/hex.ts'
import { sha256 } from '../src/domain/json.ts'
import type { Offering } from '../src/domain/offerings/offering.ts'
import { createRules } from '../src/language/reader/rules.ts'
import { noModel } from '../src/llm/noModel.ts'
import { openJob } from '../src/operations/hires/openJob.ts'
import { writeProposal } from '../src/operations/hires/writeProposal.ts'
import { createTurns } from '../src/operations/turns.ts'
import type { Job } from '../src/ports.ts'
import { createWakeups } from '../src/process/wakeups.ts'
import { openStore } from '../src/store/store.ts'
import { sendTransactions } from '../src/workers/sendTransactions.ts'
import { watchChain } from '../src/workers/watchChain.ts'
import { followers, tables } from './assembled.ts'
import { readerDir } from './reader.ts'
import { newStoreFile } from './store/template.ts'
import { createScriptedChain } from './world/chain.ts'
import { createDeps } from './world/deps.ts'
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
  const { place, remove } = await newStoreFile()
  const store = await openStore({ ...place, tables, clock, wakeups })
  const chain = createScriptedChain({ clock, seed, feeBps, usdcDecimals })
  const search = createMemorySearch()
  let fresh = 0
  const deps = createDeps({
    ...{ store, chain, search, wakeups, clock },
    ids: { fresh: prefix => `${prefix}_${sha256(`${seed}:${fresh++}`).slice(0, 32)}` },
    wallets: { ensure: async (role, owner) => walletOf(`${seed}:${role}:${owner}`) },
    resources: { ask: unreached, buy: unreached, turns: createTurns({ atOnce: 1, waiting: 1 }) },
    settings: { publicUrl: 'http://127.0.0.1', local: true, allowsPrivate: true },
  })
  const userWallet = await deps.wallets.ensure('user', user)

  const world = {
    followers,
    store,
    chain,
    search,
    wakeups,
    deps,
    userWallet,
    butlerDeps: toButlerDeps(deps, { model: noModel, rules: createRules({ dir: readerDir }) }),
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
      const job = await openJob(deps, { runId }, proposal)
      if ('refusal' in job) throw new Error(job.words)
      return job
    },

    /** Sends, mines and reads transactions until nothing more changes. */
    async pump() {
      const [send, watch] = [sendTransactions({ store, chain, followers }), watchChain({ store, chain, followers })]
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
