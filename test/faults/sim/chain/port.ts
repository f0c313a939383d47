import type { Address } from '../../../../src/domain/hex.ts'
import { sha256 } from '../../../../src/domain/json.ts'
import type { Call, Chain, Launchpad } from '../../../../src/ports.ts'
import { createAuthorized, createPermitted, createUpto } from './authorized.ts'
import type { ChainModel } from './chain.ts'
import type { ContractCall } from './contracts.ts'
import { createLaunchpad } from './launchpadPort.ts'
import { createLooks } from './looks.ts'
import type { Rpc } from './node.ts'
import { coinFor, places, simulatedChainId } from './places.ts'
import { createSending, type GateStore } from './sending.ts'
import { toData } from './transactions.ts'

export const usdcDecimals = 6

const gas = {
  hire: 260_000n,
  submit: 45_000n,
  complete: 125_000n,
  completeUsed: 175_000n,
  reject: 95_000n,
  claimRefund: 95_000n,
  register: 250_000n,
  feedback: 160_000n,
  validationRequest: 150_000n,
  validationResponse: 80_000n,
  transfer: 21_000n,
}

/** Properties of a chain that are the same for every process. */
export type ChainTerms = {
  feeBps: number
  /** Confirmations before an event is reported. */
  confirmations: number
  /** The chain cannot simulate calls. */
  isBlind: boolean
  resendAfterMs: number
  /** Whether payments by Permit2 are possible, or the only ones, because the token has no signed transfers. */
  permits: 'none' | 'possible' | 'only'
  /** Whether payments in the scheme `upto` are possible. */
  takesUpto: boolean
}

/** The Chain port of the modelled chain. A lagging node reports old blocks and receipts. */
export const createChainPort = (
  model: ChainModel,
  { terms, store, rpc }: { terms: ChainTerms; store: GateStore; rpc: Rpc },
): Chain & { launchpad: Launchpad } => ({
  chainId: simulatedChainId,
  usdcDecimals,
  addresses: {
    ...{ escrow: places.escrow, usdc: places.usdc, registry: places.registry },
    ...{ reputation: places.reputation, validation: places.validation },
    launchpad: places.launchpad,
  },
  evaluator: places.evaluator,
  treasury: places.treasury,
  feeBps: terms.feeBps,
  ...calls,
  launchpad: createLaunchpad(model, store, terms.permits !== 'only'),
  validations,
  ...(terms.permits !== 'only' && { authorized: createAuthorized({ terms, store, rpc }) }),
  ...(terms.permits !== 'none' && { permitted: createPermitted({ terms, store, rpc }) }),
  ...(terms.takesUpto && { upto: createUpto({ terms, store, rpc }) }),
  ...createSending(model, terms, store),
  ...createLooks(model, terms),
})

const call = (to: Address, name: keyof typeof gas, data: ContractCall): Call => ({
  to,
  data: toData(data),
  value: 0n,
  gas: gas[name],
})

const validations: Chain['validations'] = {
  hash: text => `0x${sha256(text)}`,
  request: ({ agentNumber, requestHash }) =>
    call(places.validation, 'validationRequest', {
      ...{ name: 'validationRequest', agentNumber: String(agentNumber), requestHash },
    }),
  respond: ({ requestHash, response }) =>
    call(places.validation, 'validationResponse', { name: 'validationResponse', requestHash, response }),
  // No task of the simulation reads summaries.
  summary: async () => ({ count: 0, average: 0 }),
}

type Calls =
  | 'hire'
  | 'submit'
  | 'complete'
  | 'completeUsed'
  | 'reject'
  | 'claimRefund'
  | 'registerAgent'
  | 'giveFeedback'
  | 'topUp'
  | 'faucet'

const calls: Pick<Chain, Calls> = {
  hire: async ({ jobId, client, provider, budget, expiresAt }) =>
    call(places.escrow, 'hire', {
      name: 'hire',
      terms: {
        client,
        provider,
        evaluator: places.evaluator,
        expiredAt: Math.floor(expiresAt / 1_000),
        jobKey: jobId,
        budget: String(budget),
      },
    }),
  submit: (id, deliverable) => call(places.escrow, 'submit', { name: 'submit', chainJobId: String(id), deliverable }),
  complete: id => call(places.escrow, 'complete', { name: 'complete', chainJobId: String(id) }),
  completeUsed: (id, used) =>
    call(places.escrow, 'completeUsed', { name: 'completeUsed', chainJobId: String(id), used: String(used) }),
  reject: id => call(places.escrow, 'reject', { name: 'reject', chainJobId: String(id) }),
  claimRefund: id => call(places.escrow, 'claimRefund', { name: 'claimRefund', chainJobId: String(id) }),
  registerAgent: async ({ owner, wallet }) => call(places.registry, 'register', { name: 'register', owner, wallet }),
  giveFeedback: ({ agentNumber, value, uri, file }) =>
    call(places.reputation, 'feedback', {
      name: 'feedback',
      agentNumber: String(agentNumber),
      value,
      uri,
      fileHash: sha256(file),
    }),
  topUp: wallet => ({ to: wallet, data: '0x', value: coinFor.topUp, gas: gas.transfer }),
  faucet: undefined,
}
