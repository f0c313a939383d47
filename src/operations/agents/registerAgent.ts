import type { Address } from '../../domain/hex.ts'
import { canonical } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { checkEndpoint } from '../../domain/net/publicAddress.ts'
import {
  type Registration,
  type RegistrationBody,
  registrationBody,
  toRegistration,
} from '../../domain/offerings/registration.ts'
import { warningsOf } from '../../domain/offerings/registrationWarnings.ts'
import { Problem } from '../../domain/problem.ts'
import type { Agent, Intent } from '../../ports.ts'
import { registrationRecord } from '../../records/agent.ts'
import { checkGas } from '../gasBudget.ts'
import { accessOf, type Caller, chainOf, type Deps, operation } from '../operation.ts'
import { waitUntil } from '../waiting.ts'
import { checkNames, checkPrices, similarWarnings } from './checks.ts'
import { indexAgent } from './indexAgent.ts'
import { followCallFee } from './pricing.ts'
import { checkQuota, type Registrant, registrantOf, toEcho } from './registrant.ts'
import { registrationUri } from './registrationFile.ts'

export const registerAgent = operation({
  name: 'registerAgent',
  summary:
    'Register an agent: an ERC-8004 identity, a custodial wallet and its offerings. ' +
    'The same owner, chain and handle again gives the same agent_id.',
  caller: 'anyone',
  scope: 'sell',
  repeats: 'same',
  input: registrationBody,
  output: registrationRecord,

  async run(body, deps, caller) {
    caller.charge?.(limits.registrationWorkMs)
    const registrant = await registrantOf(body, deps, caller)
    const { owner } = registrant
    const wanted = toRegistration(body)
    const chain = chainOf(deps, wanted.chainId)
    checkPrices(wanted.offerings, chain)
    if (wanted.endpointUrl) checkEndpoint(wanted.endpointUrl, deps.settings)
    const existing = await findOwn(wanted, owner, deps)
    await checkNames({ body, wanted, agent: existing }, deps.store)
    const wish = { wanted, body, registrant }
    // An agent with an identity sends no transaction, so its registration need not wait for others.
    const { agent, outcome, id } = existing?.id
      ? await establish(existing, wish, deps)
      : await deps.registrations.take(owner, turnOf(caller), () => establish(existing, wish, deps))
    if (!agent.id || outcome === 'updated') await showAtOnce(agent.key, deps)
    const minted = (await readIdentity(agent.key, deps)).intent
    return {
      agent_id: id,
      handle: agent.handle,
      chain_id: agent.chainId,
      wallet_address: owner,
      onchain_registration: { agent_wallet: agent.wallet, tx_hash: minted?.hash ?? '', status: 'confirmed' },
      unchanged: outcome === 'refused',
      warnings: [
        ...(outcome === 'refused' ? [] : await similarWarnings(wanted, owner, deps.store)),
        ...warningsOf(body, wanted, { validates: chain.validations !== undefined }),
      ],
    }
  },
})

/** Aborts the wait for a turn when the caller disconnects, or after the time limit of a registration's transaction. */
const turnOf = ({ signal }: Caller): AbortSignal => {
  const late = AbortSignal.timeout(limits.registerWaitMs)
  return signal ? AbortSignal.any([signal, late]) : late
}

/** Creates or updates the agent and waits for its identity on chain. Returns the agent and what the registration changed. */
const establish = async (existing: Agent | undefined, wish: Wanted, deps: Deps) => {
  await useUp(wish.registrant, deps)
  const agent = existing ?? (await addAgent(wish, deps))
  await decideIdentity(agent, deps)
  const outcome = await update({ agent, ...wish }, deps)
  const { id } = await untilMinted(agent, deps)
  return { agent, outcome, id }
}

/**
 * Makes the agent findable before the response. A failure is ignored, because the worker indexes the agent anyway. The worker
 * is asked again afterwards, as it may have indexed a newer list in the meantime.
 */
const showAtOnce = async (agentKey: string, deps: Deps) => {
  await indexAgent(deps, agentKey).catch(() => undefined)
  await deps.store.addIndexChange(agentKey, `${agentKey}:${deps.ids.fresh('again')}`)
}

const findOwn = async ({ chainId, handle }: Registration, owner: Address, { store }: Deps): Promise<Agent | undefined> => {
  const agent = await store.agent(`${chainId}:${handle}`)
  if (agent && agent.owner !== owner) throw new Problem('handle-taken')
  if (!agent && (await store.isLookAlike({ chainId, handle, owner })))
    throw new Problem('handle-taken', 'The handle is too similar to one of another wallet.', '/handle')
  return agent
}

/** Uses the fresh proof only when nothing else prevents the registration. */
const useUp = async (registrant: Registrant, deps: Deps) => {
  if (registrant.proof !== 'fresh') return
  if (!(await accessOf(deps).spendChallenge(registrant.nonce, registrant.owner)))
    throw new Problem('signature-mismatch', 'This challenge was used before.')
}

type Wanted = { wanted: Registration; body: RegistrationBody; registrant: Registrant }

const addAgent = async ({ wanted, body, registrant }: Wanted, deps: Deps): Promise<Agent> => {
  const { owner } = registrant
  // Checked before a wallet is created for the agent, and again under a lock.
  await checkQuota(deps.store, { registrant, body, deps })
  const key = `${wanted.chainId}:${wanted.handle}`
  const wallet = await deps.wallets.ensure('agent', key)
  const { name, description, chainId, handle, endpointUrl, viaGateway, offerings, callFee } = wanted
  return deps.store.atomically(async tables => {
    if (registrant.proof === 'signature') await tables.lockKeyMode(owner)
    await checkQuota(tables, { registrant, body, deps })
    await checkGas(tables, { wallet: owner, chain: chainOf(deps, chainId) })
    const added = await tables.addAgent({
      key,
      chainId,
      handle,
      owner,
      wallet,
      name,
      description,
      endpointUrl,
      viaGateway,
      card: toEcho(body),
    })
    const agent = added ?? (await tables.agent(key))
    if (!agent || agent.owner !== owner) throw new Problem('handle-taken')
    if (added) await tables.putOfferings(key, offerings)
    if (added && callFee !== undefined) await tables.setCallPrice(key, callFee)
    if (added && registrant.proof === 'signature')
      await tables.addKeyRegistration({ agentKey: key, wallet: owner, source: registrant.source })
    return agent
  })
}

/** Attempts to register. A signature is valid for minutes only, and the registry refuses late ones. */
const tries = 5

/** The newest registration intent, and the key for the next one when no intent can succeed any more. */
const readIdentity = async (agentKey: string, { store }: Deps): Promise<{ intent?: Intent; nextKey?: string }> => {
  for (let n = 0; n < tries; n++) {
    const key = n === 0 ? `register:${agentKey}` : `register:${agentKey}:${n}`
    const intent = await store.intent(key)
    if (!intent) return { nextKey: key }
    if (intent.state !== 'reverted') return { intent }
  }
  return {}
}

/** Adds the intent of the on-chain registration once. After a crash before this line, the next registration request adds it. */
const decideIdentity = async (agent: Agent, deps: Deps) => {
  const { nextKey } = agent.id ? {} : await readIdentity(agent.key, deps)
  if (!nextKey) return
  const chain = chainOf(deps, agent.chainId)
  const uri = registrationUri(deps.settings, agent)
  const call = await chain.registerAgent({ owner: agent.owner, wallet: agent.wallet, uri })
  const sender = chain.registrar === 'agent' ? agent.wallet : chain.treasury
  await deps.store.addIntents([{ key: nextKey, chainId: agent.chainId, sender, call, after: undefined }])
}

/**
 * A bare signature is repeated in every registration, like a password, so it may register an agent but never change one.
 * @returns refused when a changed body was ignored
 */
const update = async (of: Wanted & { agent: Agent }, { store }: Deps) => {
  const { agent, wanted, body, registrant } = of
  const isSame = canonical(agent.card) === canonical(toEcho(body))
  if (registrant.proof === 'signature') return isSame ? 'same' : 'refused'
  if ((await store.unverifiedAgents([agent.key])).length > 0) await store.confirmAgent(agent.key)
  if (isSame) return 'same'
  const { name, description, endpointUrl, viaGateway, offerings, callFee } = wanted
  await store.atomically(async tables => {
    await tables.updateAgent(agent.key, { name, description, endpointUrl, viaGateway, card: toEcho(body) })
    await tables.putOfferings(agent.key, offerings)
    await followCallFee(tables, agent, callFee)
  })
  return 'updated'
}

const untilMinted = async (agent: Agent, deps: Deps) => {
  const at = { channel: `intent:register:${agent.key}`, deadline: deps.clock.now() + limits.registerWaitMs }
  const id = await waitUntil(deps, at, async () => (await deps.store.agent(agent.key))?.id)
  if (!id) throw new Problem('registration-pending')
  return { id }
}
