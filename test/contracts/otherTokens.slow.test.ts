import { encodeFunctionData, getContract, type Hex, keccak256, parseAbi, parseEventLogs } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { jobEscrowAbi, jobEscrowBytecode } from '../../src/chain/contracts/artifacts/JobEscrow.ts'
import { budget, changesOf, deliverable, fee, type HireTerms, reason, termsOf } from './hires.ts'
import { type PermitWorld, permit2Address, startPermitWorld, tokenAbi } from './permits.ts'
import { compileTestContracts, deployCode } from './solidity.ts'
import { feeBps, people, refusal, startWorld, type World } from './world.ts'

const { client, provider, evaluator, stranger, treasury } = people
const hostileAbi = [
  ...tokenAbi,
  ...parseAbi([
    'function setTax(uint256 bps)',
    'function setCallback(address target, bytes callback)',
    'function setBlocked(address holder)',
  ]),
]
/** An unlimited allowance. */
const all = 2n ** 256n - 1n

let world: World
let codeOf: Awaited<ReturnType<typeof compileTestContracts>>
let permits: PermitWorld
let snapshot: Hex

beforeAll(async () => {
  ;[world, codeOf] = await Promise.all([startWorld(), compileTestContracts()])
  permits = await startPermitWorld(world, codeOf)
})
afterAll(() => world.stop())
beforeEach(async () => {
  snapshot = await world.chain.snapshot()
})
afterEach(() => world.chain.revert({ id: snapshot }))

const signedHire = async (changes: Partial<HireTerms> = {}, signer = client) => {
  const terms = await termsOf(world, changes)
  const deadline = terms.expiredAt
  return { terms, deadline, signature: await permits.sign(terms, deadline, signer) }
}

test('on a token without signed transfers, a stranger may send a hire that the client signed for Permit2', async () => {
  const { terms, deadline, signature } = await signedHire()
  const { logs } = await world.mined(permits.relay(terms, deadline, signature))
  expect(parseEventLogs({ abi: jobEscrowAbi, logs }).map(event => event.eventName)).toEqual([
    'JobCreated',
    'JobDescribed',
    'BudgetSet',
    'JobFunded',
  ])
  expect(await permits.escrow.read.getJob([1n])).toMatchObject({ status: 1, budget, client: client.address })
  expect(await permits.token.read.balanceOf([permits.escrow.address])).toBe(budget)
})

test('a hire signed for Permit2 is accepted once, and the same terms with another salt are another hire', async () => {
  const first = await signedHire()
  await world.mined(permits.relay(first.terms, first.deadline, first.signature))
  expect(await refusal(permits.relay(first.terms, first.deadline, first.signature))).toBe('InvalidNonce')
  const second = await signedHire({ salt: keccak256('0x02') })
  await world.mined(permits.relay(second.terms, second.deadline, second.signature))
  expect(await permits.escrow.read.jobCount()).toBe(2n)
})

test('a hire signed for Permit2 is refused when a term or its expiry was changed, or when it has expired', async () => {
  const { terms, deadline, signature } = await signedHire()
  for (const change of changesOf(terms)) {
    const refused = await refusal(permits.relay({ ...terms, ...change }, deadline, signature))
    expect(refused, Object.keys(change).join()).toBe('InvalidSigner')
  }
  expect(await refusal(permits.relay(terms, deadline + 1n, signature))).toBe('InvalidSigner')
  const soon = (await world.now()) + 60n
  const short = await permits.sign(terms, soon)
  await world.warp(soon + 1n)
  expect(await refusal(permits.relay(terms, soon, short))).toBe('SignatureExpired')
})

test('only the escrow can spend what was signed for a hire', async () => {
  const { terms, deadline, signature } = await signedHire()
  const other = await world.deploy(jobEscrowAbi, jobEscrowBytecode, [
    permits.token.address,
    stranger.address,
    0,
    evaluator.address,
  ])
  const steal = { ...permits.escrow, address: other, functionName: 'createAndFundWithPermit2' as const }
  const attempt = world.chain.writeContract({ ...steal, args: [terms, deadline, signature], account: stranger })
  expect(await refusal(attempt)).toBe('InvalidSigner')
})

test('where Permit2 is not deployed, a hire through it is refused and takes no money', async () => {
  const { terms, deadline, signature } = await signedHire()
  await world.chain.setCode({ address: permit2Address, bytecode: '0x' })
  expect(await refusal(permits.relay(terms, deadline, signature))).not.toBe('accepted')
  expect(await permits.escrow.read.jobCount()).toBe(0n)
})

test('a contract wallet hires by the signature of its owner (ERC-1271) and of no other account', async () => {
  const wallet = await deployCode(world, codeOf('SmartWallet'), client.address)
  const approval = encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [permit2Address, all] })
  const abi = parseAbi(['function execute(address target, bytes data)'])
  const args = [permits.token.address, approval] as const
  await world.mined(world.chain.writeContract({ address: wallet, abi, functionName: 'execute', args, account: client }))
  await world.mined(permits.token.write.transfer([wallet, budget], { account: client }))

  const forged = await signedHire({ client: wallet }, stranger)
  expect(await refusal(permits.relay(forged.terms, forged.deadline, forged.signature))).toBe('InvalidContractSignature')
  const { terms, deadline, signature } = await signedHire({ client: wallet })
  await world.mined(permits.relay(terms, deadline, signature))
  await world.mined(permits.escrow.write.reject([1n, reason, '0x'], { account: evaluator }))
  expect(await permits.token.read.balanceOf([wallet])).toBe(budget)
})

/** An escrow with a hostile token, and an allowance of the client. */
const startHostile = async () => {
  const { chain, mined, deploy } = world
  const address = await deployCode(world, codeOf('HostileToken'), client.address)
  const token = getContract({ address, abi: hostileAbi, client: chain })
  const escrow = getContract({
    address: await deploy(jobEscrowAbi, jobEscrowBytecode, [token.address, treasury.address, feeBps, evaluator.address]),
    abi: jobEscrowAbi,
    client: chain,
  })
  await mined(token.write.approve([escrow.address, all], { account: client }))
  const { expiredAt } = await termsOf(world)
  const hire = () => escrow.write.createAndFund([provider.address, evaluator.address, expiredAt, '', budget], { account: client })
  const submit = () => mined(escrow.write.submit([1n, deliverable, '0x'], { account: provider }))
  const complete = () => escrow.write.complete([1n, reason, '0x'], { account: evaluator })
  return { token, escrow, hire, submit, complete }
}

test('a hostile token can neither transfer less than it reports nor withdraw money twice', async () => {
  const { mined } = world
  const { token, escrow, hire, submit, complete } = await startHostile()
  await mined(token.write.setTax([100n], { account: stranger }))
  expect(await refusal(hire())).toBe('WrongAmountReceived')
  await mined(token.write.setTax([0n], { account: stranger }))

  for (let jobs = 0; jobs < 2; jobs += 1) await mined(hire())
  await submit()
  const again = encodeFunctionData({ abi: jobEscrowAbi, functionName: 'claimRefund', args: [2n] })
  await mined(token.write.setCallback([escrow.address, again], { account: stranger }))
  expect(await refusal(complete())).toBe('ReentrancyGuardReentrantCall')
  expect(await refusal(hire())).toBe('ReentrancyGuardReentrantCall')

  await mined(token.write.setCallback([escrow.address, '0x'], { account: stranger }))
  await mined(complete())
  expect(await token.read.balanceOf([escrow.address])).toBe(budget)
})

test('a treasury that the token blocks does not delay a provider, and gets its fee once it is unblocked', async () => {
  const { mined } = world
  const { token, escrow, hire, submit, complete } = await startHostile()
  await mined(hire())
  await submit()
  await mined(token.write.setBlocked([treasury.address], { account: stranger }))
  const { logs } = await mined(complete())
  expect(parseEventLogs({ abi: jobEscrowAbi, logs, eventName: 'FeeUnpaid' })[0]?.args).toEqual({ jobId: 1n, amount: fee })
  expect(await token.read.balanceOf([provider.address])).toBe(budget - fee)
  expect(await escrow.read.unpaidFees()).toBe(fee)
  expect(await token.read.balanceOf([escrow.address])).toBe(fee)

  expect(await refusal(escrow.write.withdrawFees({ account: stranger }))).not.toBe('accepted')
  expect(await escrow.read.unpaidFees()).toBe(fee)
  await mined(token.write.setBlocked([stranger.address], { account: stranger }))
  for (let times = 0; times < 2; times += 1) await mined(escrow.write.withdrawFees({ account: stranger }))
  expect(await token.read.balanceOf([treasury.address])).toBe(fee)
  expect(await token.read.balanceOf([escrow.address])).toBe(0n)
})

test('a provider that the token blocks is not paid, and the client’s money comes back', async () => {
  const { mined } = world
  const { token, escrow, hire, submit, complete } = await startHostile()
  const before = await token.read.balanceOf([client.address])
  await mined(hire())
  await submit()
  await mined(token.write.setBlocked([provider.address], { account: stranger }))
  expect(await refusal(complete())).not.toBe('accepted')
  await mined(escrow.write.reject([1n, reason, '0x'], { account: evaluator }))
  expect(await token.read.balanceOf([client.address])).toBe(before)
})
