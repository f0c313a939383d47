import { encodeFunctionData, getContract, type Hex, parseAbi, toFunctionSelector, zeroAddress, zeroHash } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tokenLaunchpadAbi, tokenLaunchpadBytecode } from '../../src/chain/contracts/artifacts/TokenLaunchpad.ts'
import { createLaunchpadReads } from '../../src/chain/reading/launchpadReads.ts'
import { lower } from '../../src/chain/rpc/checksum.ts'
import { receiveWithAuthorization } from '../../src/chain/signing/transferWords.ts'
import { oneToken } from '../../src/domain/tokens/tokenCurve.ts'
import { launchToken, mirrorTrades, never, registerAgent } from './launchpad.ts'
import { compileTestContracts, deployCode } from './solidity.ts'
import { creatorShareBps, people, refusal, startWorld, usdc, type World } from './world.ts'

const { client, provider, stranger, treasury } = people
const hostileAbi = parseAbi([
  'function approve(address spender, uint256 amount) returns (bool)',
  'function setTax(uint256 bps)',
  'function setCallback(address target, bytes callback)',
  'function setBlocked(address holder)',
  'function balanceOf(address holder) view returns (uint256)',
])
let world: World
beforeAll(async () => {
  world = await startWorld()
  await world.mined(world.token.write.approve([world.launchpad.address, 2n ** 256n - 1n], { account: client }))
})
afterAll(() => world.stop())

test('every trade gives what the domain quotes, to the unit, with USDC and with the wrapped coin', async () => {
  for (const asset of ['usdc', 'coin'] as const) {
    const { accepted } = await mirrorTrades(world, { trades: 60, seed: 7, asset })
    expect(accepted).toBeGreaterThan(30)
  }
}, 60_000)

test('only the owner of an agent or its wallet launches its token, once', async () => {
  const { launchpad, token } = world
  const { agentId } = await launchToken(world, token.address)
  const launch = (account: typeof client) =>
    refusal(launchpad.simulate.launch([agentId, token.address, 'Another', 'MORE'], { account }))
  expect(await launch(client)).toBe('AlreadyLaunched')
  expect(await launch(stranger)).toBe('NotTheAgentsOwner')
  const second = await registerAgent(world)
  for (const [account, answer] of [
    [stranger, 'NotTheAgentsOwner'],
    [provider, 'NotTheAgentsOwner'],
    [client, 'accepted'],
  ] as const)
    expect(await refusal(launchpad.simulate.launch([second, token.address, 'Second', 'SEC'], { account }))).toBe(answer)
})

test('row 69: a name or symbol that could deceive is refused', async () => {
  const { launchpad, token } = world
  const agentId = await registerAgent(world)
  const attempt = (name: string, symbol: string) =>
    refusal(launchpad.simulate.launch([agentId, token.address, name, symbol], { account: client }))
  for (const name of [
    '',
    'n'.repeat(33),
    ' lead',
    'trail ',
    'a\u0000b',
    'a\nb',
    'a\u202eb',
    'a\u200bb',
    'Цоин',
    '🪙',
    'a\u007fb',
  ])
    expect([name, await attempt(name, 'GOOD')]).toEqual([name, 'BadName'])
  for (const symbol of ['', 'A', 'A'.repeat(11), 'abc', 'A B', 'A\u202eB', 'US$', 'АВ'])
    expect([symbol, await attempt('Good name', symbol)]).toEqual([symbol, 'BadSymbol'])
  expect(await attempt('Good name 2.0', 'G00D')).toBe('accepted')
})

test('a trade beyond its bound, after its deadline, of nothing or of an unknown token is refused', async () => {
  const { launchpad, token } = world
  const { address } = await launchToken(world, token.address)
  const buy = (amount: bigint, least: bigint, deadline: bigint, of = address) =>
    refusal(launchpad.simulate.buy([of, amount, least, deadline], { account: client }))
  const [out] = await launchpad.read.quoteBuy([address, usdc(1)])
  expect(await buy(usdc(1), out, never)).toBe('accepted')
  expect(await buy(usdc(1), out + 1n, never)).toBe('TooLittleOut')
  expect(await buy(usdc(1), out, 1n)).toBe('PastDeadline')
  expect(await buy(0n, 0n, never)).toBe('NothingBought')
  expect(await buy(usdc(1), 0n, never, stranger.address)).toBe('UnknownToken')
  const sell = (tokens: bigint, account = client) => refusal(launchpad.simulate.sell([address, tokens, 0n, never], { account }))
  expect(await sell(oneToken, stranger)).not.toBe('accepted')
  expect(await refusal(launchpad.simulate.sell([address, 0n, 1n, never], { account: client }))).toBe('TooLittleOut')
  expect(await refusal(launchpad.simulate.buyWithCoin([address, 0n, never], { account: client, value: 1n }))).toBe(
    'NotACoinCurve',
  )
})

test('row 70: the price that somebody moved before a purchase is stopped by its bound', async () => {
  const { launchpad, token, mined } = world
  const { address } = await launchToken(world, token.address)
  const [out] = await launchpad.read.quoteBuy([address, usdc(10)])
  await mined(token.write.mint([provider.address, usdc(5_000)], { account: people.deployer }))
  await mined(token.write.approve([launchpad.address, usdc(5_000)], { account: provider }))
  await mined(launchpad.write.buy([address, usdc(5_000), 0n, never], { account: provider }))
  const args = [address, usdc(10), (out * 99n) / 100n, never] as const
  expect(await refusal(launchpad.simulate.buy(args, { account: client }))).toBe('TooLittleOut')
})

test('tokens are bought and sold for the coin itself, and no other coin comes in', async () => {
  const { launchpad, wrappedCoin, mined, chain } = world
  const { address, token } = await launchToken(world, wrappedCoin.address)
  const [out] = await launchpad.read.quoteBuy([address, 10n ** 18n])
  await mined(launchpad.write.buyWithCoin([address, out, never], { account: client, value: 10n ** 18n }))
  expect(await token.read.balanceOf([client.address])).toBe(out)
  const [paid] = await launchpad.read.quoteSell([address, out])
  const before = await chain.getBalance({ address: client.address })
  const { gasUsed, effectiveGasPrice } = await mined(
    launchpad.write.sellForCoin([address, out, paid, never], { account: client }),
  )
  expect(await chain.getBalance({ address: client.address })).toBe(before + paid - gasUsed * effectiveGasPrice)
  await expect(chain.call({ to: launchpad.address, value: 1n, account: client })).rejects.toThrow(
    toFunctionSelector('CoinRefused(address)'),
  )
})

test('fees are divided exactly, and follow the agent to a new owner', async () => {
  const { launchpad, registry, token, mined } = world
  const { agentId, address } = await launchToken(world, token.address)
  await mined(launchpad.write.buy([address, usdc(10) + 1n, 0n, never], { account: client }))
  const { fees } = await launchpad.read.curveOf([address])
  await mined(registry.write.transferFrom([client.address, provider.address, agentId], { account: client }))
  const before = await token.read.balanceOf([provider.address])
  const owed = await launchpad.read.platformFees([token.address])
  await mined(launchpad.write.payCreatorFees([address], { account: stranger }))
  const share = (fees * BigInt(creatorShareBps)) / 10_000n
  expect(await token.read.balanceOf([provider.address])).toBe(before + share)
  expect(await launchpad.read.platformFees([token.address])).toBe(owed + fees - share)
  const { blockNumber } = await mined(launchpad.write.payPlatformFees([token.address], { account: stranger }))
  const { events } = createLaunchpadReads(world.chain, launchpad.address)
  expect(await events(blockNumber, blockNumber)).toMatchObject([
    { name: 'platform-fees-paid', token: lower(token.address), receiver: lower(treasury.address), amount: owed + fees - share },
  ])
  expect(await token.read.balanceOf([treasury.address])).toBe(owed + fees - share)
  expect((await launchpad.read.curveOf([address])).fees).toBe(0n)
})

test('a token knows its name, its symbol and its agent, and only the launchpad mints or moves it without an allowance', async () => {
  const { launchpad, token: paid } = world
  const { agentId, token } = await launchToken(world, paid.address, ['Name of 32 characters, no more..', 'TEN1234567'])
  expect(await token.read.name()).toBe('Name of 32 characters, no more..')
  expect(await token.read.symbol()).toBe('TEN1234567')
  expect(await token.read.agentId()).toBe(agentId)
  expect(await token.read.allowance([client.address, launchpad.address])).toBe(2n ** 256n - 1n)
  expect(await token.read.allowance([client.address, '0x000000000022D473030F116dDEE9F6B43aC78BA3'])).toBe(0n)
  expect(await refusal(token.simulate.mintSupply({ account: stranger }))).toBe('OnlyLaunchpad')
  expect(await refusal(token.simulate.transferFrom([launchpad.address, stranger.address, 1n], { account: stranger }))).toBe(
    'InsufficientAllowance',
  )
})

test('a buyer’s signature buys on exactly its terms, once', async () => {
  const { launchpad, token, mined, now } = world
  const { address, token: bought } = await launchToken(world, token.address)
  const [out] = await launchpad.read.quoteBuy([address, usdc(5)])
  const deadline = (await now()) + 600n
  const salt: Hex = zeroHash
  const terms = { buyer: client.address, token: address, amountIn: usdc(5), minTokens: out, deadline, salt }
  const signature = await client.signTypedData({
    domain: { name: 'USD Coin', version: '1', chainId: 97, verifyingContract: token.address },
    types: receiveWithAuthorization,
    primaryType: 'ReceiveWithAuthorization',
    message: {
      ...{ from: client.address, to: launchpad.address, value: terms.amountIn, validAfter: 0n, validBefore: deadline },
      nonce: await launchpad.read.buyNonce([terms]),
    },
  })
  const [r, s, v] = [`0x${signature.slice(2, 66)}`, `0x${signature.slice(66, 130)}`, Number(`0x${signature.slice(130)}`)] as const
  const send = (changed: Partial<typeof terms> = {}) =>
    refusal(launchpad.simulate.buyWithAuthorization([{ ...terms, ...changed }, v, r, s], { account: stranger }))
  for (const changed of [
    { minTokens: 1n },
    { salt: `0x${'1'.repeat(64)}` as const },
    { buyer: provider.address },
    { amountIn: usdc(4), minTokens: 0n },
  ])
    expect([changed, await send(changed)]).not.toEqual([changed, 'accepted'])
  await mined(launchpad.write.buyWithAuthorization([terms, v, r, s], { account: stranger }))
  expect(await bought.read.balanceOf([client.address])).toBe(out)
  expect(await send({ minTokens: 0n })).not.toBe('accepted')
  expect(await send()).not.toBe('accepted')
  expect(
    await refusal(launchpad.simulate.buyWithAuthorization([{ ...terms, token: zeroAddress }, v, r, s], { account: stranger })),
  ).toBe('UnknownToken')
})

test('row 71: a hostile reserve token neither brings in less than it says nor trades within a trade', async () => {
  const { registry, deploy, chain, mined } = world
  const code = await compileTestContracts()
  const hostile = getContract({
    address: await deployCode(world, code('HostileToken'), client.address),
    abi: hostileAbi,
    client: chain,
  })
  const launchpad = getContract({
    address: await deploy(tokenLaunchpadAbi, tokenLaunchpadBytecode, [
      registry.address,
      { usdc: hostile.address, virtualUsdc: usdc(5_000), wrappedCoin: zeroAddress, virtualCoin: 0n },
      { feeBps: 100, creatorShareBps: 5_000, treasury: treasury.address },
    ]),
    abi: tokenLaunchpadAbi,
    client: chain,
  })
  const agentId = await registerAgent(world)
  await mined(launchpad.write.launch([agentId, hostile.address, 'Hostile', 'HOST'], { account: client }))
  const token = await launchpad.read.tokenOf([agentId])
  await mined(hostile.write.approve([launchpad.address, 2n ** 256n - 1n], { account: client }))
  const buy = () => launchpad.simulate.buy([token, usdc(1), 0n, never], { account: client })
  const sell = () => launchpad.simulate.sell([token, oneToken, 0n, never], { account: client })
  await mined(hostile.write.setTax([100n], { account: client }))
  expect(await refusal(buy())).toBe('WrongAmountReceived')
  await mined(hostile.write.setTax([0n], { account: client }))
  await mined(launchpad.write.buy([token, usdc(1), 0n, never], { account: client }))

  for (const again of [
    encodeFunctionData({ abi: tokenLaunchpadAbi, functionName: 'sell', args: [token, 0n, 0n, never] }),
    encodeFunctionData({ abi: tokenLaunchpadAbi, functionName: 'buy', args: [token, 1n, 0n, never] }),
    encodeFunctionData({ abi: tokenLaunchpadAbi, functionName: 'payCreatorFees', args: [token] }),
    encodeFunctionData({ abi: tokenLaunchpadAbi, functionName: 'payPlatformFees', args: [hostile.address] }),
  ]) {
    await mined(hostile.write.setCallback([launchpad.address, again], { account: client }))
    for (const attempt of [buy, sell]) expect(await refusal(attempt())).not.toBe('accepted')
  }
  await mined(hostile.write.setCallback([zeroAddress, '0x'], { account: client }))
  expect(await refusal(sell())).toBe('accepted')

  // A creator whom the asset refuses to pay holds back nothing of the platform.
  const { fees } = await launchpad.read.curveOf([token])
  const creator = await registry.read.getAgentWallet([agentId])
  await mined(hostile.write.setBlocked([creator], { account: client }))
  const payCreator = () => refusal(launchpad.simulate.payCreatorFees([token], { account: stranger }))
  expect(await payCreator()).toBe(toFunctionSelector('TransferFailed()'))
  await mined(launchpad.write.divideFees([token], { account: stranger }))
  expect(await launchpad.read.creatorFees([token])).toBe(fees / 2n)
  await mined(launchpad.write.payPlatformFees([hostile.address], { account: stranger }))
  expect(await hostile.read.balanceOf([treasury.address])).toBe(fees - fees / 2n)
  expect(await payCreator()).toBe(toFunctionSelector('TransferFailed()'))
  await mined(launchpad.write.buy([token, usdc(1), 0n, never], { account: client }))
  await mined(hostile.write.setBlocked([zeroAddress], { account: client }))
  const { fees: more } = await launchpad.read.curveOf([token])
  const before = await hostile.read.balanceOf([creator])
  await mined(launchpad.write.payCreatorFees([token], { account: stranger }))
  expect(await hostile.read.balanceOf([creator])).toBe(before + fees / 2n + more / 2n)
  expect([await launchpad.read.creatorFees([token]), (await launchpad.read.curveOf([token])).fees]).toEqual([0n, 0n])
})
