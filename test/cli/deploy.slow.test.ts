import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWalletClient, http, parseEther } from 'viem'
import { bscTestnet } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { testWrappedCoinAbi, testWrappedCoinBytecode } from '../../src/chain/contracts/artifacts/TestWrappedCoin.ts'
import { hex } from '../../src/domain/hex.ts'
import { parseJson } from '../../src/domain/json.ts'
import { type External, startExternal } from '../chain/external.ts'
import { people } from '../contracts/world.ts'
import { start } from './program.ts'

let node: External
let dir: string
let env: Record<string, string>
beforeAll(async () => {
  node = await startExternal()
  dir = await mkdtemp(join(tmpdir(), 'deploy-test-'))
  const wrapped = await node.deploy({ abi: testWrappedCoinAbi, bytecode: testWrappedCoinBytecode })
  const usdc = await node.deployUsdc(6)
  env = {
    DATA_DIR: dir,
    RPC_URL_97: node.url,
    USDC_97: usdc,
    WRAPPED_COIN_97: wrapped,
    PLATFORM_FEE_BPS: '250',
    CONFIRMATIONS_97: '0',
  }
})
afterAll(async () => {
  await node?.stop()
  await rm(dir, { recursive: true, force: true })
})

const settings = () => join(dir, 'contracts.env')
const deployed = z.object({ deployed: z.array(z.string()), settings: z.record(z.string(), hex), treasury: hex })
const run = async (...more: string[]) => {
  const { code, out, err } = await start(['operator', 'deploy', '--chain', '97', '--settings', settings(), '--json', ...more], {
    env,
  }).ended
  return { code, err, object: parseJson(out.trimEnd().split('\n').at(-1) ?? '') }
}

test('one command deploys what a plain chain lacks, with all fees to the treasury, and the service then serves it', async () => {
  const poor = await run('--yes')
  expect(poor).toMatchObject({ code: 1, err: expect.stringMatching(/Send [\d.]+ coins to 0x[0-9a-f]{40}/) })
  const [, deployer] = /coins to (0x[0-9a-f]{40})/.exec(poor.err) ?? []
  const wallet = createWalletClient({ chain: bscTestnet, transport: http(node.url), account: people.deployer })
  await node.mined(wallet.sendTransaction({ to: hex.parse(deployer), value: parseEther('1') }))

  // Nobody is there to say yes: nothing is sent.
  const asked = await run()
  expect(asked).toMatchObject({ code: 1, object: { deployed: [] }, err: expect.stringContaining('LAUNCHPAD costs') })
  await expect(readFile(settings(), 'utf8')).rejects.toThrow('ENOENT')

  const { code, object } = await run('--yes')
  expect(code).toBe(0)
  const done = deployed.parse(object)
  expect(done.deployed).toEqual(['REGISTRY', 'REPUTATION', 'VALIDATION', 'ESCROW', 'LAUNCHPAD'])
  const written = await readFile(settings(), 'utf8')
  for (const [name, address] of Object.entries(done.settings)) expect(written).toContain(`${name}=${address}\n`)

  // The same again finds everything, and deploys nothing.
  expect(deployed.parse((await run('--yes')).object)).toEqual({ ...done, deployed: [] })

  const served = start(['start'], { env: { ...env, ...done.settings, PORT: '0', LOCAL_WORLD: 'false', LOG_LEVEL: 'error' } })
  const url = await new Promise<string>(found => {
    served.child.stdout?.on('data', (text: Buffer) => {
      const [, address] = /on (http:\S+?);/.exec(String(text)) ?? []
      if (address) found(address)
    })
  })
  const health = await (await fetch(`${url}/health`)).json()
  expect(health).toMatchObject({ chains: [{ chain_id: 97, embedded: false }], refused_chains: [] })
  expect(await (await fetch(`${url}/tokens`)).json()).toEqual({ tokens: [], total: 0 })
  served.child.kill('SIGTERM')
  expect((await served.ended).code).toBe(0)
})
