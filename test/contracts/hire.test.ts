import { encodeAbiParameters, encodeFunctionData, keccak256, parseEventLogs, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { jobEscrowAbi } from '../../src/chain/contracts/artifacts/JobEscrow.ts'
import { authorize, budget, changesOf, type HireTerms, relay, termsOf } from './hires.ts'
import { shareWorld } from './sharedWorld.ts'
import { people, refusal, usdc, type World } from './world.ts'

const { client, provider, evaluator, stranger } = people
let world: World
shareWorld(it => {
  world = it
})

const eventsOfHire = ({ expiredAt, description }: HireTerms) => [
  ['JobCreated', { jobId: 1n, client: client.address, provider: provider.address, evaluator: evaluator.address, expiredAt }],
  ['JobDescribed', { jobId: 1n, description }],
  ['BudgetSet', { jobId: 1n, amount: budget }],
  ['JobFunded', { jobId: 1n, client: client.address, amount: budget }],
]
const balanceOf = (address: `0x${string}`) => world.token.read.balanceOf([address])
const inAnHour = async () => (await world.now()) + 3_600n

test('one transaction creates, prices and funds a job by allowance', async () => {
  const { escrow, mined } = world
  const terms = await termsOf(world)
  const { logs } = await mined(
    escrow.write.createAndFund([provider.address, evaluator.address, terms.expiredAt, terms.description, budget], {
      account: client,
    }),
  )
  expect(parseEventLogs({ abi: jobEscrowAbi, logs }).map(event => [event.eventName, event.args])).toEqual(eventsOfHire(terms))
  expect(await escrow.read.getJob([1n])).toMatchObject({ status: 1, budget, client: client.address })
  expect(await balanceOf(escrow.address)).toBe(budget)
})

test('three calls of ERC-8183 also fit into one transaction', async () => {
  const { escrow, mined } = world
  const { expiredAt } = await termsOf(world)
  const call = (functionName: 'setBudget' | 'fund') =>
    encodeFunctionData({ abi: jobEscrowAbi, functionName, args: [1n, budget, '0x'] })
  const createJob = encodeFunctionData({
    abi: jobEscrowAbi,
    functionName: 'createJob',
    args: [provider.address, evaluator.address, expiredAt, '', zeroAddress],
  })
  await mined(escrow.write.multicall([[createJob, call('setBudget'), call('fund')]], { account: client }))
  expect(await escrow.read.getJob([1n])).toMatchObject({ status: 1, budget, client: client.address })
})

test('a stranger may send a hire that the client signed, and the job belongs to the client', async () => {
  const terms = await termsOf(world)
  const { logs } = await world.mined(relay(world, terms, await authorize(world, terms, await inAnHour())))
  expect(parseEventLogs({ abi: jobEscrowAbi, logs }).map(event => [event.eventName, event.args])).toEqual(eventsOfHire(terms))
  expect(await balanceOf(client.address)).toBe(usdc(1_000) - budget)
  expect(await balanceOf(world.escrow.address)).toBe(budget)
})

test('the nonce of a signed hire can be computed without a call to the chain', async () => {
  const terms = await termsOf(world)
  const struct = jobEscrowAbi.flatMap(entry => (entry.type === 'function' && entry.name === 'hireNonce' ? entry.inputs : []))
  const encoded = encodeAbiParameters([...struct, { type: 'uint256' }, { type: 'address' }], [terms, 97n, world.escrow.address])
  expect(await world.escrow.read.hireNonce([terms])).toBe(keccak256(encoded))
})

test('a signed hire is accepted once', async () => {
  const terms = await termsOf(world)
  const authorization = await authorize(world, terms, await inAnHour())
  await world.mined(relay(world, terms, authorization))
  expect(await refusal(relay(world, terms, authorization))).toBe('ERC3009UsedAuthorization')
  expect(await world.token.read.authorizationState([client.address, await world.escrow.read.hireNonce([terms])])).toBe(true)
  expect(await balanceOf(client.address)).toBe(usdc(1_000) - budget)
})

test('the same terms with another salt are another hire', async () => {
  const first = await termsOf(world)
  const second = { ...first, salt: keccak256('0x02') }
  for (const terms of [first, second]) await world.mined(relay(world, terms, await authorize(world, terms, await inAnHour())))
  expect(await world.escrow.read.jobCount()).toBe(2n)
})

test('a signed hire is refused when any term was changed', async () => {
  const terms = await termsOf(world)
  const authorization = await authorize(world, terms, await inAnHour())
  for (const change of changesOf(terms)) {
    expect(await refusal(relay(world, { ...terms, ...change }, authorization)), Object.keys(change).join()).toBe(
      'ERC3009InvalidSignature',
    )
  }
  expect(await refusal(relay(world, terms, { ...authorization, validBefore: authorization.validBefore + 1n }))).toBe(
    'ERC3009InvalidSignature',
  )
})

test('a signed hire is refused from its expiry on', async () => {
  const terms = await termsOf(world, { expiredAt: (await world.now()) + 86_400n })
  const authorization = await authorize(world, terms, await inAnHour())
  await world.warp(authorization.validBefore)
  expect(await refusal(relay(world, terms, authorization))).toBe('ERC3009InvalidAuthorizationTime')
})

test('only the escrow can spend the signature of a hire', async () => {
  const terms = await termsOf(world)
  const { validBefore, v, r, s } = await authorize(world, terms, await inAnHour())
  const nonce = await world.escrow.read.hireNonce([terms])
  const args = [client.address, world.escrow.address, budget, 0n, validBefore, nonce, v, r, s] as const
  expect(await refusal(world.token.write.receiveWithAuthorization(args, { account: stranger }))).toBe('ERC20InvalidReceiver')
  expect(await refusal(world.token.write.transferWithAuthorization(args, { account: stranger }))).toBe('ERC3009InvalidSignature')
})
