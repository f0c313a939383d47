import { concat, keccak256, parseEventLogs, slice, stringToHex, toFunctionSelector, zeroAddress, zeroHash } from 'viem'
import { expect, test } from 'vitest'
import {
  validationRegistryAbi as abi,
  validationRegistryBytecode,
} from '../../src/chain/contracts/artifacts/ValidationRegistry.ts'
import { registryForm } from './registryForm.ts'
import { shareWorld } from './sharedWorld.ts'
import { people, refusal, type World } from './world.ts'

const { client, provider: owner, evaluator, stranger } = people
type Account = typeof client
const agent = 0n
const [work, other] = [keccak256(stringToHex('work')), keccak256(stringToHex('other'))]
let world: World
shareWorld(async it => {
  world = it
  await world.mined(world.registry.write.register({ account: owner }))
})

const ask = (account: Account, { hash = work, agentId = agent, validator = evaluator.address } = {}) =>
  world.validation.write.validationRequest([validator, agentId, 'https://market.example/work.json', hash], { account })
const respond = (account: Account, response: number, { hash = work, tag = 'schema' } = {}) =>
  world.validation.write.validationResponse([hash, response, 'ipfs://evidence', keccak256('0x01'), tag], { account })
const statusOf = (hash = work) => world.validation.read.getValidationStatus([hash])
const summary = (validators: Account[] = [], tag = '') =>
  world.validation.read.getSummary([agent, validators.map(it => it.address), tag])

test('a request and its response are emitted in full and stored with their time', async () => {
  const asked = await world.mined(ask(owner))
  expect(parseEventLogs({ abi, logs: asked.logs }).map(({ eventName, args }) => [eventName, args])).toEqual([
    [
      'ValidationRequest',
      {
        validatorAddress: evaluator.address,
        agentId: agent,
        requestURI: 'https://market.example/work.json',
        requestHash: work,
      },
    ],
  ])
  expect(await statusOf()).toEqual([evaluator.address, agent, 0, zeroHash, '', await world.now()])

  const said = await world.mined(respond(evaluator, 80))
  expect(parseEventLogs({ abi, logs: said.logs }).map(({ eventName, args }) => [eventName, args])).toEqual([
    [
      'ValidationResponse',
      {
        validatorAddress: evaluator.address,
        agentId: agent,
        requestHash: work,
        response: 80,
        responseURI: 'ipfs://evidence',
        responseHash: keccak256('0x01'),
        tag: 'schema',
      },
    ],
  ])
  expect(await statusOf()).toEqual([evaluator.address, agent, 80, keccak256('0x01'), 'schema', await world.now()])
})

test('only owner, operators and the wallet of an agent request validations of its work', async () => {
  expect(await refusal(ask(stranger))).toBe('NotAuthorized')
  expect(await refusal(ask(client))).toBe('NotAuthorized')
  await world.mined(world.registry.write.approve([client.address, agent], { account: owner }))
  await world.mined(world.registry.write.setApprovalForAll([evaluator.address, true], { account: owner }))
  for (const account of [owner, client, evaluator])
    expect(await refusal(ask(account, { hash: keccak256(account.address) }))).toBe('accepted')
  expect(await refusal(ask(owner, { agentId: 1n }))).toBe('ERC721NonexistentToken')
})

test('the wallet that the owner named may request a validation until the agent is transferred', async () => {
  const deadline = (await world.now()) + 200n
  const message = { agentId: agent, newWallet: stranger.address, owner: owner.address, deadline }
  const signature = await stranger.signTypedData({
    ...registryForm(world.registry.address),
    primaryType: 'AgentWalletSet',
    message,
  })
  await world.mined(world.registry.write.setAgentWallet([agent, stranger.address, deadline, signature], { account: owner }))
  expect(await refusal(ask(stranger))).toBe('accepted')
  const moving = world.registry.write.transferFrom([owner.address, client.address, agent], { account: owner })
  await world.mined(moving)
  expect(await refusal(ask(stranger, { hash: other }))).toBe('NotAuthorized')
  expect(await refusal(ask(client, { hash: other }))).toBe('accepted')
})

test('a request names a validator and is made once', async () => {
  expect(await refusal(ask(owner, { validator: zeroAddress }))).toBe('BadValidator')
  await world.mined(ask(owner))
  expect(await refusal(ask(owner))).toBe('RequestExists')
  expect(await refusal(ask(owner, { validator: client.address }))).toBe('RequestExists')
})

/** A hash that belongs to one validator and agent. */
const bound = async (content: string, { agentId = agent, validator = evaluator.address } = {}) =>
  concat([await world.validation.read.bindingOf([validator, agentId]), slice(keccak256(stringToHex(content)), 12)])

test('a bound hash that another agent took first goes to its own agent, and its verdict counts there only', async () => {
  await world.mined(world.registry.write.register({ account: stranger }))
  const squatter = 1n
  const hash = await bound('work')
  await world.mined(ask(stranger, { hash, agentId: squatter, validator: stranger.address }))
  await world.mined(respond(stranger, 7, { hash }))
  await world.mined(ask(owner, { hash }))
  expect(await statusOf(hash)).toEqual([evaluator.address, agent, 0, zeroHash, '', await world.now()])
  expect(await refusal(ask(stranger, { hash, agentId: squatter }))).toBe('RequestExists')
  expect(await refusal(respond(stranger, 7, { hash }))).toBe('NotValidator')
  await world.mined(respond(evaluator, 100, { hash }))
  expect(await summary()).toEqual([1n, 100])
  expect(await world.validation.read.getSummary([squatter, [], ''])).toEqual([0n, 0])
  for (const account of [owner, stranger]) expect(await refusal(ask(account, { hash }))).not.toBe('accepted')
})

test('an owner who takes a bound hash with another validator first does not count its verdict twice', async () => {
  const hash = await bound('work')
  await world.mined(ask(owner, { hash, validator: client.address }))
  await world.mined(ask(owner, { hash }))
  expect(await refusal(ask(owner, { hash, validator: client.address }))).toBe('RequestExists')
  await world.mined(respond(evaluator, 0, { hash }))
  expect(await summary()).toEqual([1n, 0])
  expect(await world.validation.read.getAgentValidations([agent])).toEqual([hash])
  expect(await world.validation.read.getValidatorRequests([evaluator.address])).toEqual([hash])
})

test('a bound hash that names the same validator for another agent is listed once for it', async () => {
  await world.mined(world.registry.write.register({ account: stranger }))
  const hash = await bound('work')
  await world.mined(ask(stranger, { hash, agentId: 1n }))
  await world.mined(ask(owner, { hash }))
  expect(await world.validation.read.getValidatorRequests([evaluator.address])).toEqual([hash])
})

test('only the validator of a request responds, with 0 to 100, and its newest response counts', async () => {
  await world.mined(ask(owner))
  expect(await refusal(respond(owner, 100))).toBe('NotValidator')
  expect(await refusal(respond(evaluator, 101))).toBe('ResponseTooLarge')
  expect(await refusal(respond(evaluator, 100, { hash: other }))).toBe('RequestNotFound')
  expect(await refusal(statusOf(other))).toBe('RequestNotFound')
  await world.mined(respond(evaluator, 40))
  await world.mined(respond(evaluator, 90))
  expect(await summary()).toEqual([1n, 90])
})

test('a summary averages the responses of the given validators and tag, without open requests', async () => {
  expect(await summary()).toEqual([0n, 0])
  const third = keccak256(stringToHex('third'))
  await world.mined(ask(owner))
  await world.mined(ask(owner, { hash: other, validator: client.address }))
  await world.mined(ask(owner, { hash: third }))
  await world.mined(respond(evaluator, 0))
  await world.mined(respond(client, 75, { hash: other, tag: 'rerun' }))
  expect(await summary()).toEqual([2n, 37])
  expect(await summary([evaluator])).toEqual([1n, 0])
  expect(await summary([client, evaluator], 'rerun')).toEqual([1n, 75])
  expect(await summary([stranger])).toEqual([0n, 0])
  expect(await world.validation.read.getAgentValidations([agent])).toEqual([work, other, third])
  expect(await world.validation.read.getValidatorRequests([evaluator.address])).toEqual([work, third])
  expect(await world.validation.read.getValidatorRequests([stranger.address])).toEqual([])
})

test('the registry names its identity registry, and none is made for an address without code', async () => {
  expect((await world.validation.read.getIdentityRegistry()).toLowerCase()).toBe(world.registry.address.toLowerCase())
  const refused = world.deploy(abi, validationRegistryBytecode, [stranger.address])
  await expect(refused).rejects.toThrow(toFunctionSelector('BadRegistry(address)'))
})
