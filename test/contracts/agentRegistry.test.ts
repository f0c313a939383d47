import { type Address, getAddress, type Hex, type LocalAccount, parseEventLogs, toHex, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { agentRegistryAbi } from '../../src/chain/contracts/artifacts/AgentRegistry.ts'
import { registryForm } from './registryForm.ts'
import { shareWorld } from './sharedWorld.ts'
import { people, refusal, type World } from './world.ts'

const { client: owner, provider: wallet, stranger, evaluator: buyer, treasury: platform } = people
const uri = 'https://market.example/agents/97/translator/.well-known/agent-registration.json'
let world: World
shareWorld(it => {
  world = it
})

const soon = async () => (await world.now()) + 240n

const signRegistration = (signer: LocalAccount, deadline: bigint, changes: { owner?: Address; agentURI?: string } = {}) =>
  signer.signTypedData({
    ...registryForm(world.registry.address),
    primaryType: 'AgentRegistration',
    message: { owner: owner.address, agentURI: uri, agentWallet: wallet.address, deadline, ...changes },
  })

const signWallet = (signer: LocalAccount, deadline: bigint) =>
  signer.signTypedData({
    ...registryForm(world.registry.address),
    primaryType: 'AgentWalletSet',
    message: { agentId: 0n, newWallet: wallet.address, owner: owner.address, deadline },
  })

const registerFor = (deadline: bigint, signature: Hex, account: LocalAccount = platform) =>
  world.registry.write.registerFor([owner.address, uri, wallet.address, deadline, signature], { account })

const registerOwn = () => world.mined(world.registry.write.register([uri], { account: owner }))

test('the first agent is number 0, belongs to its registrant and is paid there', async () => {
  const { registry } = world
  const { logs } = await registerOwn()
  expect(await registry.read.ownerOf([0n])).toBe(owner.address)
  expect(await registry.read.tokenURI([0n])).toBe(uri)
  expect(await registry.read.getAgentWallet([0n])).toBe(owner.address)
  expect(parseEventLogs({ abi: agentRegistryAbi, logs }).map(event => event.eventName)).toEqual([
    'Transfer',
    'MetadataUpdate',
    'Registered',
    'MetadataSet',
  ])
  expect([await registry.read.name(), await registry.read.symbol()]).toEqual(['AgentIdentity', 'AGENT'])
})

test('an agent may be registered without a file and with additional metadata', async () => {
  const { registry, mined } = world
  await mined(registry.write.register({ account: owner }))
  expect(await registry.read.tokenURI([0n])).toBe('')
  const metadata = [{ metadataKey: 'developer', metadataValue: toHex('somebody') }]
  await mined(registry.write.register([uri, metadata], { account: owner }))
  expect(await registry.read.getMetadata([1n, 'developer'])).toBe(toHex('somebody'))
  await mined(registry.write.setMetadata([1n, 'developer', '0x'], { account: owner }))
  expect(await registry.read.getMetadata([1n, 'developer'])).toBe('0x')
})

test('the platform registers an agent for its owner in one transaction, with a wallet that consented', async () => {
  const { registry, mined } = world
  const deadline = await soon()
  const { logs } = await mined(registerFor(deadline, await signRegistration(wallet, deadline)))
  const [registered] = parseEventLogs({ abi: agentRegistryAbi, logs, eventName: 'Registered' })
  expect(registered?.args).toEqual({ agentId: 0n, agentURI: uri, owner: owner.address })
  expect(await registry.read.ownerOf([0n])).toBe(owner.address)
  expect(await registry.read.getAgentWallet([0n])).toBe(wallet.address)
  expect(await registry.read.getMetadata([0n, 'agentWallet'])).toBe(wallet.address.toLowerCase())
})

test('a registration signed by anyone but the wallet, for other terms or for another time is refused', async () => {
  const deadline = await soon()
  expect(await refusal(registerFor(deadline, await signRegistration(stranger, deadline)))).toBe('BadSignature')
  expect(await refusal(registerFor(deadline, await signRegistration(wallet, deadline, { agentURI: `${uri}?` })))).toBe(
    'BadSignature',
  )
  expect(await refusal(registerFor(deadline, '0x'))).toBe('BadSignature')
  const nobody = [owner.address, uri, zeroAddress, deadline, '0x'] as const
  expect(await refusal(world.registry.write.registerFor(nobody, { account: platform }))).toBe('BadWallet')
  const late = (await world.now()) - 1n
  expect(await refusal(registerFor(late, await signRegistration(wallet, late)))).toBe('DeadlinePassed')
  const far = (await world.now()) + 1_000n
  expect(await refusal(registerFor(far, await signRegistration(wallet, far)))).toBe('DeadlineTooFar')
})

test('nobody but the platform and the owner makes another the owner of an agent that is paid elsewhere', async () => {
  const { registry, mined } = world
  const deadline = await soon()
  const signature = await signRegistration(wallet, deadline)
  for (const account of [stranger, wallet]) expect(await refusal(registerFor(deadline, signature, account))).toBe('NotRegistrar')
  await mined(registerFor(deadline, signature, owner))
  expect([await registry.read.ownerOf([0n]), await registry.read.registrar()]).toEqual([owner.address, platform.address])
})

test('a signed registration mints once', async () => {
  const deadline = await soon()
  const signature = await signRegistration(wallet, deadline)
  await world.mined(registerFor(deadline, signature))
  expect(await refusal(registerFor(deadline, signature))).toBe('RegistrationUsed')
})

test('a contract that implements no receiver may own an agent', async () => {
  const { registry, mined, token } = world
  const contract = getAddress(token.address)
  const deadline = await soon()
  const signature = await signRegistration(wallet, deadline, { owner: contract })
  const args = [contract, uri, wallet.address, deadline, signature] as const
  await mined(registry.write.registerFor(args, { account: platform }))
  expect(await registry.read.ownerOf([0n])).toBe(contract)
})

test('a new owner’s agent does not pay into the old owner’s wallet', async () => {
  const { registry, mined } = world
  await registerOwn()
  await mined(registry.write.transferFrom([owner.address, buyer.address, 0n], { account: owner }))
  expect(await registry.read.getAgentWallet([0n])).toBe(zeroAddress)
  expect(await registry.read.getMetadata([0n, 'agentWallet'])).toBe('0x')
})

test('the wallet changes only by a call of the owner with a signature of the new wallet at most five minutes old', async () => {
  const { registry, mined } = world
  await registerOwn()
  const set = (deadline: bigint, signature: Hex, account: LocalAccount = owner) =>
    registry.write.setAgentWallet([0n, wallet.address, deadline, signature], { account })
  const deadline = await soon()
  const signature = await signWallet(wallet, deadline)
  expect(await refusal(set(deadline, signature, stranger))).toBe('NotAuthorized')
  expect(await refusal(set(deadline, await signWallet(stranger, deadline)))).toBe('BadSignature')
  const far = (await world.now()) + 400n
  expect(await refusal(set(far, await signWallet(wallet, far)))).toBe('DeadlineTooFar')
  await mined(set(deadline, signature))
  expect(await registry.read.getAgentWallet([0n])).toBe(wallet.address)
  await mined(registry.write.unsetAgentWallet([0n], { account: owner }))
  expect(await registry.read.getAgentWallet([0n])).toBe(zeroAddress)
  await world.warp(deadline + 1n)
  expect(await refusal(set(deadline, signature))).toBe('DeadlinePassed')
})

test('the wallet cannot be changed as ordinary metadata', async () => {
  const { registry } = world
  const entry = { metadataKey: 'agentWallet', metadataValue: stranger.address }
  expect(await refusal(registry.write.register([uri, [entry]], { account: owner }))).toBe('ReservedKey')
  await registerOwn()
  expect(await refusal(registry.write.setMetadata([0n, 'agentWallet', stranger.address], { account: owner }))).toBe('ReservedKey')
})

test('only the owner and approved operators change an agent', async () => {
  const { registry, mined } = world
  await registerOwn()
  expect(await registry.read.isAuthorizedOrOwner([owner.address, 0n])).toBe(true)
  expect(await refusal(registry.write.setAgentURI([0n, 'x'], { account: stranger }))).toBe('NotAuthorized')
  await mined(registry.write.approve([stranger.address, 0n], { account: owner }))
  await mined(registry.write.setAgentURI([0n, 'x'], { account: stranger }))
  expect(await registry.read.tokenURI([0n])).toBe('x')
  expect(await refusal(registry.read.getAgentWallet([7n]))).toBe('ERC721NonexistentToken')
})
