import { mkdtemp, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { generatePrivateKey } from 'viem/accounts'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { freePort } from '../freePort.ts'
import { untilFindable } from '../http/wire.ts'
import { startTestService, until } from '../service.ts'
import { start } from './program.ts'

const wrapAt = async (port: number) => {
  const dir = await mkdtemp(join(tmpdir(), 'marketplace-late-'))
  const server = join(import.meta.dirname, '../../node_modules/.bin/mcp-server-everything')
  const env = {
    SERVICE_ENDPOINT: `http://127.0.0.1:${port}`,
    SERVICE_WALLET_PRIVATE_KEY: generatePrivateKey(),
    SERVICE_PROXY_AUTH: '',
    XDG_CONFIG_HOME: dir,
  }
  const wrap = ['agent', 'wrap', 'mcp', '--file', join(dir, 'market.json'), '--only', 'get-sum', '--handle', 'late-sums']
  const { child, ended } = start([...wrap, '--', server], { env })
  onTestFinished(() => void child.kill('SIGTERM'))
  const lines: string[] = []
  if (child.stdout) createInterface(child.stdout).on('line', line => lines.push(line))
  return { lines, ended, config: join(dir, 'agent-marketplace/config.json') }
}

test('an agent that was wrapped before the service ran is registered when it runs, and its id is stored', async () => {
  const port = await freePort()
  const { lines, config } = await wrapAt(port)
  await until('the first attempt', async () => lines.some(it => it.includes('not registered')))
  await until('the line about what is for sale', async () => lines.some(it => it.includes('Nothing is for sale yet')))
  const market = await startTestService({ env: { PORT: String(port) } })
  onTestFinished(() => market.stop())
  await untilFindable(market.url, 'get sum', 'late-sums')
  const stored = z.object({ AGENT_ID: z.string() })
  const id = await until(
    'the id',
    async () => stored.safeParse(JSON.parse(await readFile(config, 'utf8').catch(() => '{}'))).data,
  )
  expect(id.AGENT_ID).toMatch(/^97:0x/)
}, 120_000)

test('an agent that is refused for good after its start ends with its reason and exit code 1', async () => {
  let asked = 0
  const server = createServer((_request, response) => {
    asked += 1
    response.writeHead(asked === 1 ? 503 : 409, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ code: 'handle-taken', detail: 'The handle belongs to another wallet.' }))
  })
  server.listen(0, '127.0.0.1')
  await until('the server', async () => server.listening)
  onTestFinished(() => void server.close())
  const { port } = z.object({ port: z.number() }).parse(server.address())
  const { lines, ended } = await wrapAt(port)
  expect((await ended).code).toBe(1)
  expect(lines.join('\n')).toContain('belongs to another wallet')
}, 120_000)
