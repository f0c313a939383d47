import { parseArgs } from 'node:util'
import { mirrorTrades } from './launchpad.ts'
import { startWorld } from './world.ts'

// Compares random trades on chain with the curve of the domain, to the unit: `npm run trades -- --trades 10000`.
const { values } = parseArgs({
  options: { trades: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' }, json: { type: 'boolean' } },
})
const world = await startWorld()
try {
  const half = Math.ceil(Number(values.trades) / 2)
  const usdc = await mirrorTrades(world, { trades: half, seed: Number(values.seed), asset: 'usdc' })
  const coin = await mirrorTrades(world, { trades: half, seed: Number(values.seed) + 1, asset: 'coin' })
  const found = { trades: 2 * half, accepted: usdc.accepted + coin.accepted, refused: usdc.refused + coin.refused, different: 0 }
  process.stdout.write(
    values.json
      ? `${JSON.stringify(found)}\n`
      : `${found.trades} trades: ${found.accepted} accepted, ${found.refused} refused, 0 differ\n`,
  )
} finally {
  await world.stop()
}
