import { z } from 'zod'
import { type Address, hex, toWallet } from '../domain/hex.ts'
import { canonical, jsonObject } from '../domain/json.ts'
import { limits } from '../domain/limits.ts'
import { parseUsdc } from '../domain/money.ts'
import type { Offering } from '../domain/offering.ts'
import { Problem } from '../domain/problem.ts'
import { type Registration, type RegistrationBody, registrationBody, toRegistration } from '../domain/registration.ts'
import { registrationMessage } from '../domain/wireTexts.ts'
import type { Agent, Intent } from '../ports.ts'
import { indexAgent } from './indexAgent.ts'
import { type Caller, chainOf, type Deps, operation } from './operation.ts'
import { waitUntil } from './waiting.ts'

const output = z.object({
  agent_id: z.string(),
  handle: z.string(),
  chain_id: z.number(),
  wallet_address: z.string(),
  onchain_registration: z.object({
    agent_wallet: z.string(),
    tx_hash: z.string(),
    status: z.string().describe('confirmed: the identity is on chain'),
  }),
  unchanged: z.boolean().describe('The record stays as it was: a bare signature registers, it does not update'),
})

export const registerAgent = operation({
  name: 'registerAgent',
  summary:
    'Register an agent: an ERC-8004 identity, a custodial wallet and its offerings. The same owner, chain and handle again gives the same agent_id.',
  caller: 'anyone',
  input: registrationBody,
  output,

  async run(body, deps, caller) {
    const { owner, proof } = await ownerOf(body, deps, caller)
    const wanted = toRegistration(body)
    const chain = chainOf(deps, wanted.chainId)
    checkPrices(wanted.offerings, chain.usdcDecimals)
    const agent = (await findOwn(wanted, owner, deps)) ?? (await addAgent({ wanted, body, owner }, deps))
    await decideIdentity(agent, deps)
    const outcome = await update({ agent, wanted, body, proof }, deps)
    const registered = await untilMinted(agent, deps)
    if (!agent.id || outcome === 'updated') await showAtOnce(agent.key, deps)
    const minted = (await readIdentity(agent.key, deps)).intent
    return {
      agent_id: registered.id,
      handle: agent.handle,
      chain_id: agent.chainId,
      wallet_address: owner,
      onchain_registration: { agent_wallet: agent.wallet, tx_hash: minted?.hash ?? '', status: 'confirmed' },
      unchanged: outcome === 'refused',
    }
  },
})

/**
 * Who has an answer can be found. The index follows the rows in any case, so its failure is not the caller's; the worker
 * looks again afterwards, because it may have been at work for a newer list at the same time.
 */
const showAtOnce = async (agentKey: string, deps: Deps) => {
  await indexAgent(deps, agentKey).catch(() => undefined)
  await deps.store.addOutbox('index', `${agentKey}:${deps.ids.fresh('again')}`, { agentKey })
}

/** Token wins over signature; a body that names another wallet than the credential is refused (specification, Authentication). */
const ownerOf = async (
  body: RegistrationBody,
  deps: Deps,
  caller: Caller,
): Promise<{ owner: Address; proof: 'token' | 'signature' }> => {
  const named = body.user_id ? toWallet(body.user_id) : undefined
  if (caller.wallet) {
    if (named && named !== caller.wallet) throw new Problem('wrong-owner', 'user_id is not the wallet of the token.', '/user_id')
    return { owner: caller.wallet, proof: 'token' }
  }
  if (!body.signature)
    throw new Problem('unauthenticated', 'Register with a bearer token or with user_id, signature and message.')
  const signature = hex.safeParse(body.signature)
  const signer =
    signature.success && body.message === registrationMessage
      ? await deps.recoverSigner(registrationMessage, signature.data)
      : undefined
  if (!signer || signer !== named)
    throw new Problem(
      'signature-mismatch',
      `The signature must be of "${registrationMessage}" by the wallet in user_id (EIP-191).`,
    )
  return { owner: signer, proof: 'signature' }
}

const checkPrices = (offerings: Offering[], decimals: number) => {
  for (const [index, it] of offerings.entries())
    if (parseUsdc(it.price, decimals) === undefined)
      throw new Problem('invalid-price', `USDC has ${decimals} decimals on this chain.`, `/job_offerings/${index}`)
}

const findOwn = async ({ chainId, handle }: Registration, owner: Address, { store }: Deps): Promise<Agent | undefined> => {
  const agent = await store.agent(`${chainId}:${handle}`)
  if (agent && agent.owner !== owner) throw new Problem('handle-taken')
  return agent
}

type Wanted = { wanted: Registration; body: RegistrationBody; owner: Address }

const addAgent = async ({ wanted, body, owner }: Wanted, deps: Deps): Promise<Agent> => {
  const key = `${wanted.chainId}:${wanted.handle}`
  const wallet = await deps.wallets.ensure('agent', key)
  const { name, description, chainId, handle, endpointUrl, viaGateway, offerings } = wanted
  return deps.store.atomically(async tables => {
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
    return agent
  })
}

/** A registration signature lives for minutes; one that came too late is refused by the registry and made anew. */
const tries = 5

/** The registration that counts: the newest one that was decided, and the key of the next one when none can succeed any more. */
const readIdentity = async (agentKey: string, { store }: Deps): Promise<{ intent?: Intent; nextKey?: string }> => {
  for (let n = 0; n < tries; n++) {
    const key = n === 0 ? `register:${agentKey}` : `register:${agentKey}:${n}`
    const intent = await store.intent(key)
    if (!intent) return { nextKey: key }
    if (intent.state !== 'reverted') return { intent }
  }
  return {}
}

/** Decides the on-chain registration, once; a crash before this line is healed by the next registration. */
const decideIdentity = async (agent: Agent, deps: Deps) => {
  const { nextKey } = agent.id ? {} : await readIdentity(agent.key, deps)
  if (!nextKey) return
  const chain = chainOf(deps, agent.chainId)
  const uri = `${deps.settings.publicUrl}/agents/handle/${agent.handle}`
  const call = await chain.registerAgent({ owner: agent.owner, wallet: agent.wallet, uri })
  const sender = chain.registrar === 'agent' ? agent.wallet : chain.treasury
  await deps.store.addIntents([{ key: nextKey, chainId: agent.chainId, sender, call, after: undefined }])
}

/**
 * The fixed registration text makes a bare signature a password that travels with every registration, so it opens one door
 * only: it registers, it never changes what is registered.
 * @returns refused when another body was left without effect
 */
const update = async (
  of: { agent: Agent; wanted: Registration; body: RegistrationBody; proof: 'token' | 'signature' },
  { store }: Deps,
) => {
  const { agent, wanted, body } = of
  if (canonical(agent.card) === canonical(toEcho(body))) return 'same'
  if (of.proof === 'signature') return 'refused'
  const { name, description, endpointUrl, viaGateway, offerings } = wanted
  await store.atomically(async tables => {
    await tables.updateAgent(agent.key, { name, description, endpointUrl, viaGateway, card: toEcho(body) })
    await tables.putOfferings(agent.key, offerings)
  })
  return 'updated'
}

/** The body for echo, without its credential. */
const toEcho = ({ signature: _signature, message: _message, user_id: _user, ...body }: RegistrationBody) =>
  jsonObject.parse(JSON.parse(JSON.stringify(body)))

const untilMinted = async (agent: Agent, deps: Deps) => {
  const at = { channel: `intent:register:${agent.key}`, deadline: deps.clock.now() + limits.registerWaitMs }
  const id = await waitUntil(deps, at, async () => (await deps.store.agent(agent.key))?.id)
  if (!id) throw new Problem('registration-pending')
  return { id }
}
