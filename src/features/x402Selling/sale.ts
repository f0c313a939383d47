import { hasFiles } from '../../domain/files/fileMembers.ts'
import { canonical, isObject, type Json, type JsonObject } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { type Atomic, parseUsdc } from '../../domain/money/money.ts'
import { isListed, type Offering } from '../../domain/offerings/offering.ts'
import { Problem } from '../../domain/problem.ts'
import { checkValue } from '../../domain/schemas/schema.ts'
import { toDiscovery } from '../../domain/x402/discovery.ts'
import type { Charge, TransferMethod } from '../../domain/x402/x402.ts'
import { isSoldByCall, toTimeoutS } from '../../domain/x402/x402Times.ts'
import { resolveAgent } from '../../operations/agents/resolveAgent.ts'
import { chainOf, type Deps } from '../../operations/operation.ts'
import type { Agent, AuthorizedTransfers, Chain, PermittedTransfers, UptoTransfers } from '../../ports.ts'

type Reach = Pick<Deps, 'store' | 'chains' | 'refusedChains' | 'settings'>

export type Transfers = AuthorizedTransfers | PermittedTransfers | UptoTransfers

/** The subject of a paid call: an offering, or a call of the agent itself. */
export type Sale = {
  agent: Agent & { id: string }
  offering: Offering & { version: number }
  price: Atomic
  chain: Chain
  transfers: Transfers
  path: string
}

/** How an offering is paid on a chain: a price by use in the scheme `upto`. Undefined where it cannot be. */
export const transfersFor = (
  { authorized, permitted, upto }: Pick<Chain, 'authorized' | 'permitted' | 'upto'>,
  { usage }: Pick<Offering, 'usage'>,
): Transfers | undefined => (usage ? upto : (authorized ?? permitted))

type Named = { agent: string; offering_id?: string | undefined }

/**
 * Finds what an x402 URL path sells.
 * @throws Problem agent-not-found, offering-not-found, chain-not-supported
 */
export const findSale = async (deps: Reach, { agent: text, offering_id: offeringId }: Named): Promise<Sale> => {
  const agent = await resolveAgent(deps, text)
  if (!agent?.id || (await deps.store.isRetired(agent.key))) throw new Problem('agent-not-found')
  const offering = offeringId === undefined ? await callOf(deps, agent) : await deps.store.listing(agent.id, offeringId)
  if (!offering || !isListed(offering)) throw new Problem('offering-not-found')
  return toSale(deps, { ...agent, id: agent.id }, offering)
}

/** Builds the sale of an offering. @throws Problem offering-not-found when it cannot be sold by paid call */
export const toSale = (deps: Pick<Deps, 'chains'>, agent: Sale['agent'], offering: Sale['offering']): Sale => {
  const chain = chainOf(deps, agent.chainId)
  const price = parseUsdc(offering.price, chain.usdcDecimals)
  if (price === undefined || price === 0n) throw new Problem('offering-not-found', free)
  if (!isSoldByCall(offering.slaMinutes)) throw new Problem('offering-not-found', tooLong)
  if (hasFiles(offering)) throw new Problem('offering-not-found', ofFiles)
  const transfers = transfersFor(chain, offering)
  if (!transfers) throw new Problem('offering-not-found', offering.usage ? noUpto : noTransfers)
  const base = `/x402/agents/${agent.id}`
  const path = offering.id === callId ? base : `${base}/offerings/${encodeURIComponent(offering.id)}`
  return { agent, offering, price, chain, transfers, path }
}

const free = 'This costs nothing, so it is not sold by x402. Send the message to POST /invoke/{agent}.'
const tooLong = 'This may take longer than an hour, so it is not sold by x402. Hire the agent instead.'
const ofFiles = 'This takes or returns files, so it is not sold by x402: they belong to an account. Hire the agent instead.'
const noUpto =
  'This is charged by use, and x402 has no proxy for that (scheme upto) on this chain. ' +
  'An escrow returns what was not used: hire the agent instead.'
const noTransfers =
  'The USDC of this chain has no signed authorizations (EIP-3009), ' +
  'and x402 has no proxy for Permit2 there. Hire the agent instead.'

/** The offering id of a call of the agent itself. No offering in a path can have an empty id. */
const callId = ''
const callMinutes = 10

/** Describes a call of the agent itself as an offering with the call price. It takes and returns any text. */
const callOf = async ({ store }: Pick<Deps, 'store'>, agent: Agent): Promise<Sale['offering']> => ({
  id: callId,
  name: `Call of ${agent.handle}`,
  description: agent.description,
  price: await store.callPrice(agent.key),
  jobInput: '',
  jobOutput: '',
  requirement: {},
  deliverable: {},
  slaMinutes: callMinutes,
  requiredFunds: false,
  restricted: false,
  hide: false,
  active: true,
  version: 1,
})

/** Returns the payment that a sale requires, in the terms of x402. */
export const toCharge = async ({ settings }: Pick<Deps, 'settings'>, sale: Sale): Promise<Charge> => ({
  url: `${settings.publicUrl}${sale.path}`,
  description: `${sale.offering.name}, by ${sale.agent.handle}`,
  chainId: sale.chain.chainId,
  amount: sale.price,
  asset: sale.chain.addresses.usdc,
  payTo: sale.agent.wallet,
  timeoutS: toTimeoutS(sale.offering.slaMinutes),
  method: await methodOf(sale),
  discovery: toDiscovery(sale.offering),
})

const methodOf = async ({ transfers }: Sale): Promise<TransferMethod> => {
  if ('domain' in transfers) return { name: 'eip3009', domain: await transfers.domain() }
  const facilitator = 'facilitator' in transfers ? transfers.facilitator : undefined
  return { name: 'permit2', spender: transfers.spender, facilitator }
}

/**
 * Returns the agent's input: the whole body, checked against the requirement. Without a requirement it may be the text of
 * `message`.
 * @throws Problem invalid-input
 */
export const toTask = ({ offering: { requirement } }: Sale, body: Json | undefined): string => {
  const text = isText(requirement, body) ? body.message : JSON.stringify(body ?? {})
  // Before the check by the schema, whose cost grows with the body.
  if (text.length > limits.messageChars)
    throw new Problem('invalid-input', `The body has at most ${limits.messageChars} characters.`)
  const { pass, errors } = checkValue(requirement, body ?? {})
  if (!pass) throw new Problem('invalid-input', `The body does not fit the requirement: ${errors.join(' ')}`.slice(0, 500))
  if (text.trim() === '' || text === '{}') throw new Problem('invalid-input', 'Say what to do: the body is empty.')
  return isText(requirement, body) ? text : canonical(body ?? {})
}

const isText = (requirement: JsonObject, body: Json | undefined): body is { message: string } =>
  Object.keys(requirement).length === 0 && isObject(body) && typeof body.message === 'string' && Object.keys(body).length === 1
