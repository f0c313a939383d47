import { command, print, whole } from '../command.ts'
import { mirrorTrades } from './launchpad.ts'
import { startWorld } from './world.ts'

const { trades, seed, json } = command('trades', 'Compares random trades on chain with the curve of the domain, to the unit.')
  .option('--trades <count>', 'how many', whole, 10_000)
  .option('--seed <number>', 'chooses the trades', whole, 1)
  .option('--json', 'print JSON', false)
  .parse()
  .opts<{ trades: number; seed: number; json: boolean }>()
const world = await startWorld()
try {
  const half = Math.ceil(trades / 2)
  const usdc = await mirrorTrades(world, { trades: half, seed, asset: 'usdc' })
  const coin = await mirrorTrades(world, { trades: half, seed: seed + 1, asset: 'coin' })
  const found = { trades: 2 * half, accepted: usdc.accepted + coin.accepted, refused: usdc.refused + coin.refused, different: 0 }
  print(json ? JSON.stringify(found) : `${found.trades} trades: ${found.accepted} accepted, ${found.refused} refused, 0 differ`)
} finally {
  await world.stop()
}
