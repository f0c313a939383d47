import fc from 'fast-check'
import { getContract, type Hex, parseEventLogs } from 'viem'
import { agentRegistryAbi } from '../../src/chain/contracts/artifacts/AgentRegistry.ts'
import { agentTokenAbi } from '../../src/chain/contracts/artifacts/AgentToken.ts'
import { testWrappedCoinAbi } from '../../src/chain/contracts/artifacts/TestWrappedCoin.ts'
import { type Curve, quoteBuy, quoteSell, tokenSupply } from '../../src/domain/tokens/tokenCurve.ts'
import { people, tokenFeeBps, virtualCoin, virtualUsdc, type World } from './world.ts'

export const never = 2n ** 40n

/** The id of a new agent of the client. */
export const registerAgent = async ({ registry, mined }: World): Promise<bigint> => {
  const { logs } = await mined(registry.write.register(['https://market.example/agent'], { account: people.client }))
  const [registered] = parseEventLogs({ abi: agentRegistryAbi, eventName: 'Registered', logs })
  if (!registered) throw new Error('no agent was registered')
  return registered.args.agentId
}

/** Registers an agent of the client and launches its token. */
export const launchToken = async (world: World, asset: Hex, names: [name: string, symbol: string] = ['Translator', 'TRANS']) => {
  const { launchpad, chain, mined } = world
  const agentId = await registerAgent(world)
  await mined(launchpad.write.launch([agentId, asset, ...names], { account: people.client }))
  const address = await launchpad.read.tokenOf([agentId])
  return { agentId, address, token: getContract({ address, abi: agentTokenAbi, client: chain }) }
}

const step = fc.record({
  buys: fc.boolean(),
  // From one unit to thousands of whole coins: every size of trade comes.
  size: fc.bigInt({ min: 1n, max: 2n ** 90n }),
  bits: fc.integer({ min: 1, max: 90 }),
})

/**
 * Trades at random, and compares every amount with the curve of the domain.
 * @returns trades that the contract accepted, and those that both refused
 */
export const mirrorTrades = async (
  world: World,
  { trades, seed, asset }: { trades: number; seed: number; asset: 'usdc' | 'coin' },
) => {
  const { launchpad, token: usdc, wrappedCoin, mined, chain } = world
  const account = people.client
  const reserve = getContract({
    address: (asset === 'usdc' ? usdc : wrappedCoin).address,
    abi: testWrappedCoinAbi,
    client: chain,
  })
  const { address, token } = await launchToken(world, reserve.address)
  const wealth = 2n ** 80n
  if (asset === 'usdc') await mined(usdc.write.mint([account.address, wealth], { account: people.deployer }))
  else {
    await chain.setBalance({ address: account.address, value: 2n * wealth })
    await mined(wrappedCoin.write.deposit({ account, value: wealth }))
  }
  await mined(reserve.write.approve([launchpad.address, 2n ** 256n - 1n], { account }))
  let curve: Curve = {
    ...{ virtualReserve: asset === 'usdc' ? virtualUsdc : virtualCoin, reserve: 0n, held: tokenSupply, feeBps: tokenFeeBps },
  }
  const counted = { accepted: 0, refused: 0 }
  for (const { buys, size, bits } of fc.sample(step, { numRuns: trades, seed })) {
    const owned = tokenSupply - curve.held
    const most = buys ? 2n ** BigInt(bits % 62) : owned
    const amount = most === 0n ? 1n : (size % most) + 1n
    const wanted = buys ? quoteBuy(curve, amount) : quoteSell(curve, amount)
    const quoted = await (buys ? launchpad.read.quoteBuy([address, amount]) : launchpad.read.quoteSell([address, amount]))
    if (quoted[0] !== wanted.out || quoted[1] !== wanted.fee) throw new Error(`a quote for ${amount} is not that of the domain`)
    if ((buys && wanted.out === 0n) || (!buys && amount > owned)) {
      counted.refused += 1
      continue
    }
    const args = [address, amount, wanted.out, never] as const
    await mined(buys ? launchpad.write.buy(args, { account }) : launchpad.write.sell(args, { account }))
    curve = wanted.after
    counted.accepted += 1
    const onChain = await launchpad.read.curveOf([address])
    if (onChain.reserve !== curve.reserve || onChain.held !== curve.held)
      throw new Error(`after a trade of ${amount} the curves differ`)
  }
  const owned = await token.read.balanceOf([account.address])
  const { fees } = await launchpad.read.curveOf([address])
  const held = await reserve.read.balanceOf([launchpad.address])
  if (owned !== tokenSupply - curve.held || held !== curve.reserve + fees)
    throw new Error('the balances are not those of the curve')
  return counted
}
