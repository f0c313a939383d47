import { parseEventLogs, toFunctionSelector, toHex, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { jobEscrowAbi, jobEscrowBytecode } from '../../src/chain/contracts/artifacts/JobEscrow.ts'
import { budget, deliverable, fee, fundedJob, openJob, reason, submittedJob, termsOf } from './hires.ts'
import { shareWorld } from './sharedWorld.ts'
import { people, refusal, usdc, type World } from './world.ts'

const { client, provider, evaluator, treasury, stranger } = people
let world: World
shareWorld(it => {
  world = it
})

const balances = async () => ({
  client: await world.token.read.balanceOf([client.address]),
  provider: await world.token.read.balanceOf([provider.address]),
  treasury: await world.token.read.balanceOf([treasury.address]),
  escrow: await world.token.read.balanceOf([world.escrow.address]),
})
const atStart = { client: usdc(1_000), provider: usdc(1_000), treasury: 0n, escrow: 0n }
const inEscrow = { ...atStart, client: usdc(1_000) - budget, escrow: budget }
const paid = { ...atStart, client: usdc(1_000) - budget, provider: usdc(1_000) + budget - fee, treasury: fee }

test('a job in five calls pays the provider the budget less the fee', async () => {
  const { escrow, mined } = world
  const jobId = await openJob(world)
  expect(jobId).toBe(1n)
  await mined(escrow.write.fund([jobId, budget, '0x'], { account: client }))
  expect(await balances()).toEqual(inEscrow)
  await mined(escrow.write.submit([jobId, deliverable, '0x'], { account: provider }))
  const receipt = await mined(escrow.write.complete([jobId, reason, '0x'], { account: evaluator }))

  expect(await balances()).toEqual(paid)
  const told = parseEventLogs({ abi: jobEscrowAbi, logs: receipt.logs })
  expect(told.map(({ eventName, args }) => ({ eventName, args }))).toEqual([
    { eventName: 'JobCompleted', args: { jobId, evaluator: evaluator.address, reason } },
    { eventName: 'PaymentReleased', args: { jobId, provider: provider.address, amount: budget - fee } },
  ])
})

test.each([
  { used: 0n, name: 'nothing' },
  { used: usdc(3) / 10n, name: 'a part' },
  { used: budget, name: 'all' },
])('a job charged by use pays for what was used and returns the rest in the same transaction: $name', async ({ used }) => {
  const { escrow, mined } = world
  const jobId = await submittedJob(world)
  const above = escrow.write.completeUsed([jobId, budget + 1n, reason], { account: evaluator })
  expect(await refusal(above)).toBe('UsedAboveBudget')
  const receipt = await mined(escrow.write.completeUsed([jobId, used, reason], { account: evaluator }))

  const usedFee = (used * fee) / budget
  const client = atStart.client - used
  expect(await balances()).toEqual({ client, provider: atStart.provider + used - usedFee, treasury: usedFee, escrow: 0n })
  const told = parseEventLogs({ abi: jobEscrowAbi, logs: receipt.logs })
  expect(told.map(({ eventName, args }) => ({ eventName, args }))).toEqual([
    { eventName: 'JobCompleted', args: { jobId, evaluator: evaluator.address, reason } },
    { eventName: 'PaymentReleased', args: { jobId, provider: provider.address, amount: used - usedFee } },
    { eventName: 'UnusedReturned', args: { jobId, client: people.client.address, amount: budget - used } },
  ])
})

test('getJob returns the terms and the state, in the field order of ERC-8183', async () => {
  const jobId = await submittedJob(world)
  const job = await world.escrow.read.getJob([jobId])
  expect(job).toMatchObject({ id: jobId, client: client.address, provider: provider.address, evaluator: evaluator.address })
  expect(job).toMatchObject({ description: '', budget, status: 2, hook: zeroAddress, submittedAt: await world.now() })
  expect(await refusal(world.escrow.read.getJob([jobId + 1n]))).toBe('JobNotFound')
})

test('the evaluator returns all the money of a funded or a submitted job', async () => {
  for (const jobId of [await fundedJob(world), await submittedJob(world)]) {
    await world.mined(world.escrow.write.reject([jobId, reason, '0x'], { account: evaluator }))
  }
  expect(await balances()).toEqual(atStart)
})

test('the client closes an open job without any money moving', async () => {
  const jobId = await openJob(world)
  await world.mined(world.escrow.write.reject([jobId, reason, '0x'], { account: client }))
  expect((await world.escrow.read.getJob([jobId])).status).toBe(4)
  expect(await balances()).toEqual(atStart)
})

test('anyone may return the money of a funded job from the second of its expiry on', async () => {
  const { escrow } = world
  const jobId = await fundedJob(world)
  const { expiredAt } = await escrow.read.getJob([jobId])
  await world.warp(expiredAt - 2n)
  expect(await refusal(escrow.write.claimRefund([jobId], { account: stranger }))).toBe('NotRefundableYet')
  await world.warp(expiredAt)
  expect(await refusal(escrow.write.submit([jobId, deliverable, '0x'], { account: provider }))).toBe('PastExpiry')
  await world.mined(escrow.write.claimRefund([jobId], { account: stranger }))
  expect(await balances()).toEqual(atStart)
})

test('late work can be judged for an hour, then anyone may return the money', async () => {
  const { escrow } = world
  const jobId = await fundedJob(world)
  const { expiredAt } = await escrow.read.getJob([jobId])
  await world.warp(expiredAt - 10n)
  await world.mined(escrow.write.submit([jobId, deliverable, '0x'], { account: provider }))
  const { submittedAt } = await escrow.read.getJob([jobId])
  expect(await escrow.read.refundableAt([jobId])).toBe(submittedAt + 3_600n)
  await world.warp(submittedAt + 3_598n)
  expect(await refusal(escrow.write.claimRefund([jobId], { account: stranger }))).toBe('NotRefundableYet')
  await world.warp(submittedAt + 3_600n)
  await world.mined(escrow.write.claimRefund([jobId], { account: stranger }))
  expect(await balances()).toEqual(atStart)
})

test('a job that was never funded refunds nothing, even beside one that was', async () => {
  const { escrow } = world
  const unfunded = await openJob(world)
  await fundedJob(world)
  await world.warp((await world.now()) + 7_200n)
  expect(await refusal(escrow.write.claimRefund([unfunded], { account: client }))).toBe('WrongStatus')
  expect(await balances()).toEqual(inEscrow)
})

test('a client never pays a price other than the expected one', async () => {
  const { escrow, mined } = world
  const jobId = await openJob(world)
  await mined(escrow.write.setBudget([jobId, budget * 2n, '0x'], { account: provider }))
  expect(await refusal(escrow.write.fund([jobId, budget, '0x'], { account: client }))).toBe('BudgetMismatch')
  expect(await balances()).toEqual(atStart)
})

test('a job without provider or price takes no money', async () => {
  const { escrow, mined } = world
  const { expiredAt } = await termsOf(world)
  await mined(escrow.write.createJob([zeroAddress, evaluator.address, expiredAt, '', zeroAddress], { account: client }))
  expect(await refusal(escrow.write.fund([1n, 0n, '0x'], { account: client }))).toBe('ProviderMissing')
  expect(await refusal(escrow.write.setProvider([1n, evaluator.address, '0x'], { account: client }))).toBe('ProviderIsEvaluator')
  await mined(escrow.write.setProvider([1n, provider.address, '0x'], { account: client }))
  expect(await refusal(escrow.write.setProvider([1n, stranger.address, '0x'], { account: client }))).toBe('ProviderAlreadySet')
  expect(await refusal(escrow.write.fund([1n, 0n, '0x'], { account: client }))).toBe('BudgetMissing')
  expect(await refusal(escrow.write.setBudget([1n, 2n ** 96n, '0x'], { account: client }))).toBe('SafeCastOverflowedUintDowncast')
})

test('a job of any evaluator is judged by that evaluator alone', async () => {
  const { escrow, mined } = world
  const { expiredAt, description } = await termsOf(world)
  const hire = [provider.address, stranger.address, expiredAt, description, budget] as const
  await mined(escrow.write.createAndFund(hire, { account: client }))
  await mined(escrow.write.submit([1n, deliverable, '0x'], { account: provider }))
  expect(await escrow.read.getJob([1n])).toMatchObject({ evaluator: stranger.address })
  expect(await refusal(escrow.write.complete([1n, reason, '0x'], { account: evaluator }))).toBe('Unauthorized')
  await mined(escrow.write.complete([1n, reason, '0x'], { account: stranger }))

  expect(await escrow.read.mainEvaluator()).toBe(evaluator.address)
  const own = await submittedJob(world)
  expect(await refusal(escrow.write.complete([own, reason, '0x'], { account: stranger }))).toBe('Unauthorized')
  await mined(escrow.write.complete([own, reason, '0x'], { account: evaluator }))
})

test('when all numbers of evaluators are taken, a job can still name a new one', async () => {
  const { escrow, mined, chain } = world
  const { expiredAt, description } = await termsOf(world)
  const hire = (by: `0x${string}`) =>
    mined(escrow.write.createAndFund([provider.address, by, expiredAt, description, budget], { account: client }))
  const known = treasury.address
  await hire(known)
  // The count of evaluators lies above that of jobs in the first slot.
  const slot = { address: escrow.address, slot: toHex(0) } as const
  expect(BigInt((await chain.getStorageAt(slot)) ?? '0x')).toBe((1n << 104n) | 1n)
  await chain.setStorageAt({ ...slot, index: 0, value: toHex(((2n ** 24n - 2n) << 104n) | 1n, { size: 32 }) })
  const others = [stranger.address, `0x${'1'.repeat(40)}`, stranger.address, known, evaluator.address] as const
  for (const [at, by] of others.entries()) {
    await hire(by)
    expect((await escrow.read.getJob([BigInt(at + 2)])).evaluator).toBe(by)
  }
  await mined(escrow.write.submit([2n, deliverable, '0x'], { account: provider }))
  expect(await refusal(escrow.write.complete([2n, reason, '0x'], { account: evaluator }))).toBe('Unauthorized')
  await mined(escrow.write.complete([2n, reason, '0x'], { account: stranger }))
})

test('invalid terms are refused at creation', async () => {
  const { escrow } = world
  const now = await world.now()
  const create = (evaluatorAddress: `0x${string}`, expiredAt: bigint, hook: `0x${string}` = zeroAddress) =>
    refusal(escrow.simulate.createJob([provider.address, evaluatorAddress, expiredAt, '', hook], { account: client }))
  expect(await create(evaluator.address, now + 300n)).toBe('ExpiryOutOfRange')
  expect(await create(evaluator.address, now + 366n * 86_400n)).toBe('ExpiryOutOfRange')
  expect(await create(zeroAddress, now + 3_600n)).toBe('EvaluatorMissing')
  expect(await create(provider.address, now + 3_600n)).toBe('ProviderIsEvaluator')
  expect(await create(evaluator.address, now + 3_600n, stranger.address)).toBe('HookUnsupported')
  expect(await create(evaluator.address, now + 3_600n)).toBe('accepted')
})

test('the fee is capped at ten percent', async () => {
  const deployWithFee = (feeBps: number) =>
    world.deploy(jobEscrowAbi, jobEscrowBytecode, [world.token.address, treasury.address, feeBps, zeroAddress])
  await expect(deployWithFee(1_001)).rejects.toThrow(toFunctionSelector('FeeTooHigh(uint256)'))
  await deployWithFee(1_000)
})
