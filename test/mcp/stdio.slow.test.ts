import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { StdioClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { main } from '../cli/program.ts'
import { untilFindable } from '../http/wire.ts'
import { startTestService, type TestService, until } from '../service.ts'
import { openFormer, openFormerAsking, openPresent, task, toResult, toRun } from './clients.ts'
import { hire } from './person.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService()
  await market.cityClock()
  await untilFindable(market.url, 'time in Tokyo', 'city-clock')
})
afterAll(() => market?.stop())

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

test.each([2025, 2026] as const)('over stdio, the library of %i hires and receives only protocol messages', async year => {
  const env = { PATH: process.env.PATH ?? '', SERVICE_ENDPOINT: market.url, DATA_DIR: market.dir }
  const { transport, host } = await open[year]({ command: process.execPath, args: [main, 'mcp'], env, stderr: 'inherit' })
  const noise: Error[] = []
  transport.onerror = error => noise.push(error)
  const { pid } = transport
  expect((await host.tools()).map(it => it.name)).toEqual(
    expect.arrayContaining(['search_offerings', 'confirm_hire', 'hire', 'withdraw']),
  )
  const { proposed, confirmed, looked } = await hire(host)
  expect(proposed).toMatchObject({ state: 'awaiting-confirmation', proposal: { total: '0.05' } })
  expect([confirmed.job?.state, looked.job?.state]).toEqual(['settled', 'settled'])
  const refused = await host.call('confirm_hire', { run_id: looked.run_id, digest: '00000000', decision: 'no' })
  expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^nothing-proposed: /) }] })
  await host.close()
  expect([noise, pid && isAlive(pid)]).toEqual([[], false])
})

test('over stdio, a client of 2025 that can ask its user is asked to confirm a hire and a withdrawal', async () => {
  const { token, proxy, client: http } = await market.user('asked over stdio')
  const env = { PATH: process.env.PATH ?? '', SERVICE_ENDPOINT: market.url, SERVICE_PROXY_AUTH: token, DATA_DIR: market.dir }
  const asked: string[] = []
  const client = await openFormerAsking(
    new FormerTransport({ command: process.execPath, args: [main, 'mcp'], env, stderr: 'inherit' }),
    question => {
      asked.push(question)
      return true
    },
  )
  const hired = toRun(toResult(await client.callTool({ name: 'hire', arguments: { task } })))
  expect(hired.job?.state).toBe('settled')
  const taken = toResult(await client.callTool({ name: 'withdraw', arguments: { amount: '5' } }))
  expect(taken.structuredContent).toMatchObject({ done: true, amount: '5' })
  expect(asked).toEqual([expect.stringContaining('0.05 USDC'), expect.stringContaining('Send 5 USDC')])
  await until('the withdrawal to be done', async () => {
    const { usdc } = z.object({ usdc: z.string() }).parse(await http.get(`/balances/${proxy}`))
    return usdc === '19.95' ? true : undefined
  })
  await client.close()
})
