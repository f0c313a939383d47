import {
  type AbiFunction,
  createPublicClient,
  encodeFunctionData,
  http,
  keccak256,
  pad,
  stringToHex,
  toEventSelector,
  toFunctionSelector,
  zeroAddress,
} from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toChainSettings } from '../../src/chain/public/chainConfigs.ts'
import { codeBehind } from '../../src/chain/public/probe/runtimeCode.ts'
import { probeChain } from '../../src/chain/public/probe.ts'
import { decodeEvents, readJob } from '../../src/chain/reading/dialectReading.ts'
import { type DialectName, dialectOf, dialects } from '../../src/chain/reading/dialects.ts'
import { lower } from '../../src/chain/rpc/checksum.ts'
import { createNode } from '../../src/chain/rpc/node.ts'
import type { Address } from '../../src/domain/hex.ts'
import { people } from '../contracts/world.ts'
import { deployer, type External, startExternal } from './external.ts'
import { readStandins, type Standin } from './standins/compiled.ts'

const names = ['A', 'B', 'C', 'D', 'E', 'F'] as const satisfies DialectName[]

let external: External
let standin: (name: string) => Standin
const escrows = new Map<DialectName, Address>()
const escrowOf = (name: DialectName): Address => escrows.get(name) ?? '0x'
const nodeOf = ({ url }: External) => createNode({ rpcUrl: url })

beforeAll(async () => {
  standin = await readStandins(['Jobs.sol', ...names.map(name => `Dialect${name}.sol`)])
  external = await startExternal()
  for (const name of names) escrows.set(name, await external.deploy(standin(`Dialect${name}`)))
})
afterAll(() => external?.stop())

test('selectors and topics are those of the six interfaces', () => {
  const common = { claimRefund: '0x5b7baf64', getJob: '0xbf22c457' }
  const withBytes = { submit: '0x9e63798d', complete: '0xd75bbdf3', reject: '0x41dd26f5', ...common }
  const hooked = { createJob: '0x41528812', setBudget: '0xdd4ae9d4' }
  expect(Object.fromEntries(names.map(name => [name, dialects[name].selectors]))).toEqual({
    A: {
      ...{ createJob: '0x30bcb8c9', setBudget: '0x9675dc17', fund: '0xa65e2cfd', setProvider: '0xd0fae591' },
      ...{ submit: '0x2ecea788', complete: '0xcd56b1b6', reject: '0x6be1320b', ...common },
    },
    B: { ...hooked, fund: '0xd2e13f50', setProvider: '0xc9a84bb9', ...withBytes },
    C: { ...hooked, fund: '0xe25ba707', setProvider: '0xd0fae591', ...withBytes },
    D: { createJob: '0x1c226749', setBudget: '0xf3302b89', fund: '0xd2e13f50', setProvider: '0xfac3246c', ...withBytes },
    E: { ...hooked, fund: '0xd2e13f50', setProvider: '0xd0fae591', ...withBytes },
    F: { ...hooked, fund: '0xd2e13f50', setProvider: '0xc9a84bb9', ...withBytes },
  })
  const plain = '0xe3fbcc1ea1bdc559ec7f0347efde7655e58b5f45a30b0e4470a583c3ef5496b3'
  const apex = '0xbdb056de345bfeadca7c9fd7df6430bdb83c677c8eefbb601dff56f34d3dac52'
  expect(names.map(name => dialects[name].fundedTopic)).toEqual([plain, plain, plain, plain, plain, apex])
  const topicsOf = (event: string) =>
    names.map(name => dialects[name].events.filter(it => it.name === event).map(it => toEventSelector(it).slice(0, 10)))
  const [bare, withHook, budget] = ['0xef137df1', '0xb0f0239b', '0x869e2577']
  expect(topicsOf('JobCreated')).toEqual([[bare], [bare, withHook], [withHook], [withHook], [withHook], [withHook]])
  expect(topicsOf('BudgetSet')).toEqual([[budget], [budget], [budget], ['0x74f37e24'], [budget], [budget]])
  for (const [event, topic] of Object.entries({
    JobSubmitted: '0x80c17db7',
    PaymentReleased: '0x21d71db5',
    Refunded: '0x7ca5472b',
  }))
    expect(topicsOf(event)).toEqual(names.map(() => [topic]))
})

test.each(names)('the stand-in of dialect %s has exactly the functions of the table', name => {
  const functions = standin(`Dialect${name}`).abi.filter(it => it.type === 'function')
  const selectors = Object.fromEntries(functions.map(it => [it.name, toFunctionSelector(it)]))
  expect(selectors).toEqual(dialects[name].selectors)
})

const provider = lower(people.provider.address)
const evaluator = lower(people.evaluator.address)
const token = lower(people.stranger.address)
const expiredAt = 2_000_000_000n
const amount = 3_250_000n
const deliverable = keccak256(stringToHex('the work'))

/** The argument for a parameter name. Optional bytes and reasons have no name in the stand-ins. */
const argument = ({ name = '', type }: AbiFunction['inputs'][number], jobId: bigint): unknown => {
  const named: Record<string, unknown> = { provider, evaluator, expiredAt, token, amount, jobId, deliverable }
  const more: Record<string, unknown> = { description: 'job_1', hook: zeroAddress, providerAgentId: 7n, expectedBudget: amount }
  return named[name] ?? more[name] ?? (type === 'bytes' ? '0x' : deliverable)
}

/** Calls a function of a stand-in with the arguments of its dialect. */
const call = async (name: DialectName, functionName: string, jobId = 1n) => {
  const { abi } = standin(`Dialect${name}`)
  const item = abi.find(it => it.type === 'function' && it.name === functionName)
  if (item?.type !== 'function') throw new Error(`no function ${functionName}`)
  const args = item.inputs.map(it => argument(it, jobId))
  const { logs } = await external.send(escrowOf(name), encodeFunctionData({ abi, functionName, args }))
  return decodeEvents(name, logs)
}

test.each(names)('a job of dialect %s is read like any other, from its creation to its payment or refund', async name => {
  const node = nodeOf(external)
  const escrow = escrowOf(name)
  const client = deployer
  const seen = []
  const statuses = []
  for (const step of ['createJob', 'setBudget', 'fund', 'submit', 'complete']) {
    seen.push(...(await call(name, step)))
    statuses.push((await readJob(name, { node, escrow, chainJobId: 1n })).status)
  }
  expect(seen).toMatchObject([
    { name: 'JobCreated', chainJobId: 1n, client, provider, jobKey: '' },
    { name: 'BudgetSet', chainJobId: 1n, amount },
    { name: 'JobFunded', chainJobId: 1n, client, amount },
    { name: 'JobSubmitted', chainJobId: 1n, deliverable },
    { name: 'PaymentReleased', chainJobId: 1n, provider, amount },
  ])
  expect(statuses).toEqual(['open', 'open', 'funded', 'submitted', 'completed'])

  for (const [end, jobId, status] of [
    ['reject', 2n, 'rejected'],
    ['claimRefund', 3n, 'expired'],
  ] as const) {
    for (const step of ['createJob', 'setBudget', 'fund']) await call(name, step, jobId)
    expect(await call(name, end, jobId)).toMatchObject([{ name: 'Refunded', chainJobId: jobId, client, amount }])
    const expiresAt = Number(expiredAt) * 1_000
    const job = { client, provider, evaluator, budget: amount, expiresAt, status }
    expect(await readJob(name, { node, escrow, chainJobId: jobId })).toEqual(job)
  }
  await expect(readJob(name, { node, escrow, chainJobId: 99n })).rejects.toThrow(/no job 99/)
})

test.each(names)('the dialect of an escrow is recognised from its code for dialect %s, also behind a proxy', async name => {
  const proxy: Address = `0x${name.charCodeAt(0).toString(16).padStart(40, 'f')}`
  await external.client.setCode({ address: proxy, bytecode: '0x00' })
  const slot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
  await external.client.setStorageAt({ address: proxy, index: slot, value: pad(escrowOf(name)) })
  for (const address of [escrowOf(name), proxy]) expect(dialectOf(await codeBehind(nodeOf(external), address))?.name).toBe(name)
})

test('our own escrow is recognised as dialect B, and a token as no dialect', async () => {
  const usdc = await external.deployUsdc(6)
  const escrow = await external.deployEscrow(usdc, { treasury: deployer, feeBps: 0 })
  const node = createPublicClient({ transport: http(external.url) })
  expect(dialectOf((await node.getCode({ address: escrow })) ?? '0x')?.name).toBe('B')
  expect(dialectOf((await node.getCode({ address: usdc })) ?? '0x')).toBeUndefined()
})

test.each(names)('an escrow of dialect %s that is not our own is refused by the name of the dialect', async name => {
  const usdc = await external.deployUsdc(6)
  const settings = toChainSettings({ chainId: 97, rpcUrl: external.url, usdc, registry: usdc, escrow: escrowOf(name) })
  const probe = await probeChain(settings, nodeOf(external))
  const { from } = dialects[name]
  expect('findings' in probe && probe.findings[0]).toBe(
    `The escrow at ${escrowOf(name)} (ESCROW_97) implements ERC-8183 dialect ${name} (${from}). ` +
      'This service hires only through its own JobEscrow: deploy one and configure its address.',
  )
})
