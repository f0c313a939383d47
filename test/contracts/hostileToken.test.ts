import { readFile } from 'node:fs/promises'
import { type Abi, encodeFunctionData, getContract, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jobEscrowAbi, jobEscrowBytecode } from '../../src/chain/contracts/artifacts/JobEscrow.ts'
import { compileSolidity } from '../../src/chain/contracts/compile.ts'
import { budget, deliverable, reason, termsOf } from './hires.ts'
import { people, refusal, startWorld, type World } from './world.ts'

const { client, provider, evaluator, stranger, treasury } = people
const tokenAbi = parseAbi([
  'function approve(address spender, uint256 amount) returns (bool)',
  'function balanceOf(address) view returns (uint256)',
  'function setTax(uint256 bps)',
  'function setCallback(address target, bytes callback)',
])

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

/** An escrow whose token is not to be trusted, with an allowance of the client. */
const startHostile = async () => {
  const { chain, mined, deploy } = world
  const content = await readFile(new URL('HostileToken.sol', import.meta.url), 'utf8')
  const compiled = compileSolidity({ 'HostileToken.sol': { content } })['HostileToken.sol']?.HostileToken
  if (!compiled) throw new Error('HostileToken.sol holds no such contract')
  const constructorAbi: Abi = [{ type: 'constructor', stateMutability: 'nonpayable', inputs: [{ name: 'holder', type: 'address' }] }]
  const token = getContract({
    address: await deploy(constructorAbi, `0x${compiled.evm.bytecode.object}`, [client.address]),
    abi: tokenAbi,
    client: chain,
  })
  const escrow = getContract({
    address: await deploy(jobEscrowAbi, jobEscrowBytecode, [token.address, treasury.address, 0]),
    abi: jobEscrowAbi,
    client: chain,
  })
  await mined(token.write.approve([escrow.address, 2n ** 256n - 1n], { account: client }))
  const { expiredAt } = await termsOf(world)
  const hire = () => escrow.write.createAndFund([provider.address, evaluator.address, expiredAt, '', budget], { account: client })
  return { token, escrow, hire }
}

test('a hostile token neither brings in less than it says nor takes money out twice', async () => {
  const { mined } = world
  const { token, escrow, hire } = await startHostile()
  await mined(token.write.setTax([100n], { account: stranger }))
  expect(await refusal(hire())).toBe('WrongAmountReceived')
  await mined(token.write.setTax([0n], { account: stranger }))

  for (let jobs = 0; jobs < 2; jobs += 1) await mined(hire())
  await mined(escrow.write.submit([1n, deliverable, '0x'], { account: provider }))
  const reenter = (functionName: 'claimRefund') => encodeFunctionData({ abi: jobEscrowAbi, functionName, args: [2n] })
  await mined(token.write.setCallback([escrow.address, reenter('claimRefund')], { account: stranger }))
  expect(await refusal(escrow.write.complete([1n, reason, '0x'], { account: evaluator }))).toBe('ReentrancyGuardReentrantCall')
  expect(await refusal(hire())).toBe('ReentrancyGuardReentrantCall')

  await mined(token.write.setCallback([escrow.address, '0x'], { account: stranger }))
  await mined(escrow.write.complete([1n, reason, '0x'], { account: evaluator }))
  expect(await token.read.balanceOf([escrow.address])).toBe(await escrow.read.escrowed())
  expect(await escrow.read.escrowed()).toBe(budget)
})
