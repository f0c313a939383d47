import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createAsk } from '../../src/chain/embedded/devnode/ask.ts'
import { recordedGenesis } from '../../src/chain/embedded/genesis.ts'
import { openWorld, usdc, type World } from './world.ts'

/** Changes a chain to what an earlier version left: no reputation registry, neither deployed nor recorded. */
const makeOlder = async (world: World) => {
  const ask = createAsk(world.embedded.rpcUrl)
  await ask('anvil_setCode', world.chain.addresses.reputation, '0x')
  await ask('anvil_setNonce', world.chain.addresses.reputation, '0x0')
  await ask('anvil_setNonce', await world.wallets.ensure('deployer', ''), '0x3')
  await world.embedded.checkpoint()
  await world.embedded.stop()
  const path = join(world.dir, 'chain', 'genesis.json')
  const { addresses, ...rest } = recordedGenesis.parse(JSON.parse(await readFile(path, 'utf8')))
  await writeFile(path, JSON.stringify({ ...rest, addresses: { ...addresses, reputation: undefined } }))
}

test('a chain from before the reputation registry gets one at its next start and keeps everything else', async () => {
  const world = await openWorld()
  onTestFinished(() => world.close())
  const [client, provider] = [await world.client('alice'), await world.provider('97:echo')]
  const { chainJobId } = await world.hired('job_old', client, provider)
  const { reputation } = world.chain.addresses
  await makeOlder(world)

  await world.restart()
  const codeOf = (ask: ReturnType<typeof createAsk>) => ask('eth_getCode', reputation, 'latest')
  expect(world.chain.addresses.reputation).toBe(reputation)
  expect(await codeOf(createAsk(world.embedded.rpcUrl))).not.toBe('0x')
  expect((await world.chain.job(chainJobId)).status).toBe('funded')
  expect(await world.chain.usdcBalance(client)).toBe(usdc(90))

  const { number } = await world.chain.head()
  await world.restart()
  expect((await world.chain.head()).number).toBe(number)
})
