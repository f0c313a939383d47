import { type Address, getAddress, keccak256, parseEventLogs, stringToHex, zeroAddress, zeroHash } from 'viem'
import { expect, test } from 'vitest'
import { reputationRegistryAbi } from '../../src/chain/contracts/artifacts/ReputationRegistry.ts'
import { shareWorld } from './sharedWorld.ts'
import { people, refusal, type World } from './world.ts'

const { client, provider: owner, evaluator, stranger } = people
type Account = typeof client
const agent = 0n
let world: World
shareWorld(async it => {
  world = it
  await world.mined(world.registry.write.register({ account: owner }))
})

type Rating = { value: bigint; decimals?: number; tag1?: string; tag2?: string }
const give = (account: Account, { value, decimals = 0, tag1 = 'starred', tag2 = '' }: Rating, agentId = agent) =>
  world.reputation.write.giveFeedback(
    [agentId, value, decimals, tag1, tag2, 'https://agent.example', 'ipfs://file', keccak256('0x01')],
    { account },
  )
const rate = (account: Account, rating: Rating) => world.mined(give(account, rating))
const summary = (clients: Account[], tag1 = '', tag2 = '') =>
  world.reputation.read.getSummary([agent, clients.map(it => it.address), tag1, tag2])

test('a rating is emitted in full and stored with its tags, with an index from one for each client', async () => {
  const { logs } = await rate(client, { value: 9977n, decimals: 2, tag1: 'uptime', tag2: 'month' })
  expect(parseEventLogs({ abi: reputationRegistryAbi, logs }).map(({ eventName, args }) => [eventName, args])).toEqual([
    [
      'NewFeedback',
      {
        agentId: agent,
        clientAddress: client.address,
        feedbackIndex: 1n,
        value: 9977n,
        valueDecimals: 2,
        indexedTag1: keccak256(stringToHex('uptime')),
        tag1: 'uptime',
        tag2: 'month',
        endpoint: 'https://agent.example',
        feedbackURI: 'ipfs://file',
        feedbackHash: keccak256('0x01'),
      },
    ],
  ])
  await rate(client, { value: -1n })
  await rate(stranger, { value: 5n })
  const { reputation } = world
  expect(await reputation.read.readFeedback([agent, client.address, 1n])).toEqual([9977n, 2, 'uptime', 'month', false])
  expect(await reputation.read.readFeedback([agent, client.address, 2n])).toEqual([-1n, 0, 'starred', '', false])
  expect(await reputation.read.getLastIndex([agent, client.address])).toBe(2n)
  expect(await reputation.read.getClients([agent])).toEqual([client.address, stranger.address])
  for (const index of [0n, 3n])
    expect(await refusal(reputation.read.readFeedback([agent, client.address, index]))).toBe('FeedbackNotFound')
})

test('owners and operators cannot rate their own agent, and an agent that does not exist cannot be rated', async () => {
  await world.mined(world.registry.write.approve([evaluator.address, agent], { account: owner }))
  await world.mined(world.registry.write.setApprovalForAll([stranger.address, true], { account: owner }))
  for (const account of [owner, evaluator, stranger]) expect(await refusal(give(account, { value: 5n }))).toBe('SelfFeedback')
  expect(await refusal(give(client, { value: 5n }, 1n))).toBe('ERC721NonexistentToken')
  expect(await refusal(give(client, { value: 5n }))).toBe('accepted')
})

test('values beyond 1e38 and more than eighteen decimals are refused', async () => {
  const most = 10n ** 38n
  expect(await refusal(give(client, { value: most, decimals: 18 }))).toBe('accepted')
  expect(await refusal(give(client, { value: -most, decimals: 18 }))).toBe('accepted')
  expect(await refusal(give(client, { value: most + 1n }))).toBe('ValueTooLarge')
  expect(await refusal(give(client, { value: -most - 1n }))).toBe('ValueTooLarge')
  expect(await refusal(give(client, { value: 1n, decimals: 19 }))).toBe('TooManyDecimals')
})

test('a summary is the average of the given clients, in the decimals that most of them used', async () => {
  await rate(client, { value: 80n })
  await rate(client, { value: 9_050n, decimals: 2 })
  await rate(stranger, { value: 100_00n, decimals: 2, tag2: 'fast' })
  await rate(stranger, { value: -50n, tag1: 'other' })
  expect(await summary([client, stranger], 'starred')).toEqual([3n, 9_016n, 2])
  expect(await summary([client])).toEqual([2n, 85n, 0])
  expect(await summary([stranger], '', 'fast')).toEqual([1n, 100_00n, 2])
  expect(await summary([stranger], 'other')).toEqual([1n, -50n, 0])
  expect(await summary([evaluator])).toEqual([0n, 0n, 0])
  expect(await refusal(summary([]))).toBe('ClientsMissing')
})

test('an average that does not fit in the decimals of most ratings is given in fewer, not as another number', async () => {
  await rate(client, { value: 10n ** 38n })
  await rate(client, { value: 1n, decimals: 18 })
  await rate(client, { value: 1n, decimals: 18 })
  const [count, value, decimals] = await summary([client])
  expect([count, value / 10n ** BigInt(decimals), decimals]).toEqual([3n, 10n ** 38n / 3n, 0])
  await rate(stranger, { value: -(10n ** 38n) })
  await rate(stranger, { value: -(10n ** 38n), decimals: 1 })
  await rate(stranger, { value: -1n, decimals: 1 })
  expect(await summary([stranger])).toEqual([3n, -(11n * 10n ** 38n) / 30n, 0])
})

test('a revoked rating no longer counts, and only its own client can revoke it, once', async () => {
  await rate(client, { value: 10n })
  await rate(client, { value: 90n })
  const revoke = (account: Account, index: bigint) => world.reputation.write.revokeFeedback([agent, index], { account })
  expect(await refusal(revoke(stranger, 1n))).toBe('FeedbackNotFound')
  const { logs } = await world.mined(revoke(client, 1n))
  expect(parseEventLogs({ abi: reputationRegistryAbi, logs, eventName: 'FeedbackRevoked' })[0]?.args).toEqual({
    agentId: agent,
    clientAddress: client.address,
    feedbackIndex: 1n,
  })
  expect(await refusal(revoke(client, 1n))).toBe('AlreadyRevoked')
  expect(await summary([client])).toEqual([1n, 90n, 0])
})

test('ratings are read by client, tag and revocation, and of all clients when none is given', async () => {
  await rate(client, { value: 1n, tag2: 'a' })
  await rate(client, { value: 2n })
  await rate(stranger, { value: 3n, decimals: 1, tag2: 'a' })
  await world.mined(world.reputation.write.revokeFeedback([agent, 2n], { account: client }))
  const read = (clients: Account[], tag1: string, tag2: string, revoked: boolean) =>
    world.reputation.read.readAllFeedback([agent, clients.map(it => it.address), tag1, tag2, revoked])
  expect(await read([], '', '', true)).toEqual([
    [client.address, client.address, stranger.address],
    [1n, 2n, 1n],
    [1n, 2n, 3n],
    [0, 0, 1],
    ['starred', 'starred', 'starred'],
    ['a', '', 'a'],
    [false, true, false],
  ])
  expect((await read([], '', '', false))[2]).toEqual([1n, 3n])
  expect((await read([stranger], 'starred', 'a', false))[2]).toEqual([3n])
  expect((await read([], 'uptime', '', true))[2]).toEqual([])
})

test('anyone may respond to a rating, and responses are counted by rating, client and responder', async () => {
  await rate(client, { value: 1n })
  await rate(client, { value: 2n })
  const { reputation, mined } = world
  const answer = (account: Account, index: bigint, uri = 'ipfs://answer') =>
    reputation.write.appendResponse([agent, client.address, index, uri, zeroHash], { account })
  const { logs } = await mined(answer(owner, 1n))
  expect(parseEventLogs({ abi: reputationRegistryAbi, logs, eventName: 'ResponseAppended' })[0]?.args).toEqual({
    agentId: agent,
    clientAddress: client.address,
    feedbackIndex: 1n,
    responder: owner.address,
    responseURI: 'ipfs://answer',
    responseHash: zeroHash,
  })
  await mined(answer(stranger, 1n))
  await mined(answer(stranger, 2n))
  const count = (of: Address, index: bigint, responders: Account[] = []) =>
    reputation.read.getResponseCount([agent, of, index, responders.map(it => it.address)])
  expect(await count(client.address, 1n)).toBe(2n)
  expect(await count(client.address, 0n)).toBe(3n)
  expect(await count(zeroAddress, 0n)).toBe(3n)
  expect(await count(zeroAddress, 1n, [stranger])).toBe(2n)
  expect(await count(client.address, 2n, [owner])).toBe(0n)
  expect(await refusal(answer(owner, 3n))).toBe('FeedbackNotFound')
  expect(await refusal(answer(owner, 1n, ''))).toBe('ResponseMissing')
})

test('the registry returns the address of its identity registry and its version', async () => {
  expect(await world.reputation.read.getIdentityRegistry()).toBe(getAddress(world.registry.address))
  expect(await world.reputation.read.getVersion()).toBe('2.0.0')
})
