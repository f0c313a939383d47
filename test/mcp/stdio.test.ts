import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { StdioClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cityClock } from '../../src/kit/demo/cityClock.ts'
import type { RunningAgent } from '../../src/kit/kit.ts'
import { tools } from '../../src/mcp/tools.ts'
import { main } from '../cli/program.ts'
import { untilFindable } from '../http/wire.ts'
import { startTestService, type TestService } from '../service.ts'
import { hire, openFormer, openPresent } from './clients.ts'

let market: TestService
let clock: RunningAgent
beforeAll(async () => {
  market = await startTestService()
  clock = await cityClock({ platformUrl: market.url, credential: { privateKey: generatePrivateKey() }, pollPauseMs: 20 }).start()
  await untilFindable(market.url, 'time in Tokyo', 'city-clock')
})
afterAll(async () => {
  await clock.stop()
  await market.stop()
})

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

type Command = { command: string; args: string[]; env: Record<string, string>; stderr: 'inherit' }

const open = {
  2025: async (command: Command) => {
    const transport = new FormerTransport(command)
    return { transport, host: await openFormer(transport) }
  },
  2026: async (command: Command) => {
    const transport = new StdioClientTransport(command)
    return { transport, host: await openPresent(transport) }
  },
}

test.each([2025, 2026] as const)('over stdio, the library of %i hires and reads nothing but the protocol', async year => {
  const env = { PATH: process.env.PATH ?? '', SERVICE_ENDPOINT: market.url, DATA_DIR: market.dir }
  const { transport, host } = await open[year]({ command: process.execPath, args: [main, 'mcp'], env, stderr: 'inherit' })
  const noise: Error[] = []
  transport.onerror = error => noise.push(error)
  const { pid } = transport
  expect((await host.tools()).map(it => it.name)).toEqual([...tools.map(it => it.name), 'hire'])
  const { proposed, confirmed, looked } = await hire(host)
  expect(proposed).toMatchObject({ state: 'awaiting-confirmation', proposal: { total: '0.05' } })
  expect([confirmed.job?.state, looked.job?.state]).toEqual(['settled', 'settled'])
  const refused = await host.call('confirm_hire', { run_id: looked.run_id, digest: '00000000', decision: 'no' })
  expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^nothing-proposed: /) }] })
  await host.close()
  expect([noise, pid && isAlive(pid)]).toEqual([[], false])
})
