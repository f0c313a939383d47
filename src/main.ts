import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { Argument, Command } from 'commander'
import { runAgent } from './cli/agent.ts'
import { chat } from './cli/chat.ts'
import { demo } from './cli/demo.ts'
import { demoAgentNames, startDemoAgents } from './cli/demoAgents.ts'
import { openSession } from './cli/session.ts'
import { readConfig } from './config.ts'
import { createRemote } from './http/remote.ts'
import { createMcpServer } from './mcp/server.ts'
import { startService } from './service.ts'

const main = fileURLToPath(import.meta.url)
const sessionFile = (dataDir: string) => join(dataDir, 'demo-user.json')

/** Resolves at the first Ctrl-C or SIGTERM. */
const untilStopped = () =>
  new Promise<void>(done => {
    process.once('SIGINT', () => done()).once('SIGTERM', () => done())
  })

const start = async () => {
  const config = readConfig(process.env)
  const service = await startService({ config })
  const agents = config.local ? startDemoAgents({ main, url: service.url, keysDir: join(config.dataDir, 'agents') }) : undefined
  console.log(`Serving platform, gateway and identity on ${service.url}; data in ${resolve(config.dataDir)}.`)
  if (config.local) {
    console.log('The demo agents City Clock and Text Digest are joining. In a second terminal: npm run chat')
    console.log(`Or as MCP: ${service.url}/mcp, or npm run mcp. What it speaks: ${service.url}/openapi.json. Ctrl-C stops.`)
  }
  await untilStopped()
  await agents?.stop()
  await service.stop()
}

const runDemo = async ({ json }: { json: boolean }) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'marketplace-demo-'))
  const config = {
    ...readConfig(process.env),
    host: '127.0.0.1',
    port: 0,
    publicUrl: undefined,
    dataDir,
    databaseUrl: undefined,
    local: true,
  }
  const tell = (line: string) => console.log(line)
  tell('Starting chain, contracts, store, search, butler and two agents in a temporary folder …')
  const service = await startService({ config })
  const agents = startDemoAgents({ main, url: service.url, keysDir: join(dataDir, 'agents') })
  try {
    const { token } = await openSession({ url: service.url, file: sessionFile(dataDir) })
    const result = await demo({
      url: service.url,
      token,
      agents: demoAgentNames.length,
      say: tell,
      elapsedMs: () => performance.now(),
    })
    tell(`\nFrom a sentence to settled USDC in ${result.seconds} s. To keep a world like this: npm start, then npm run chat`)
    if (json) tell(JSON.stringify(result))
  } finally {
    await agents.stop()
    await service.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

const serviceUrl = () => {
  const { host, port } = readConfig(process.env)
  return process.env.SERVICE_ENDPOINT ?? `http://${host}:${port}`
}

const signIn = async () => {
  const url = serviceUrl()
  const given = process.env.SERVICE_PROXY_AUTH
  if (given) return { url, token: given }
  const { token } = await openSession({ url, file: sessionFile(readConfig(process.env).dataDir) })
  return { url, token }
}

/** Standard output belongs to the protocol. Without a running service this process serves one, as `start` does. */
const mcp = async () => {
  const config = readConfig(process.env)
  const isServed = await fetch(`${serviceUrl()}/health`).then(
    answer => answer.ok,
    () => false,
  )
  const service = isServed ? undefined : await startService({ config })
  const agents = service && startDemoAgents({ main, url: service.url, keysDir: join(config.dataDir, 'agents') })
  const session = await signIn()
  const stdio = serveStdio(() => createMcpServer(createRemote({ ...session, fetch })))
  await Promise.race([untilStopped(), new Promise(closed => process.stdin.once('close', closed))])
  await stdio.close()
  await agents?.stop()
  await service?.stop()
}

const agent = async (name: (typeof demoAgentNames)[number], options: { platform: string; keys: string; port: string }) => {
  const running = await runAgent({
    name,
    platformUrl: options.platform,
    keysDir: options.keys,
    port: Number(options.port),
    log: line => console.error(line),
  })
  await Promise.race([untilStopped(), new Promise(gone => process.once('disconnect', gone))])
  await running.stop()
  process.exit(0)
}

const program = new Command('agent-marketplace').description(
  'A marketplace where autonomous agents are registered, found, hired and paid.',
)
program.command('start').description('serve, with the demo agents in the local world').action(start)
program
  .command('demo')
  .description('the first hire, from a sentence to settled USDC')
  .option('--json', 'end with one JSON object', false)
  .action(runDemo)
program
  .command('chat')
  .description('talk to the butler of a running service')
  .action(async () => chat({ ...(await signIn()), input: process.stdin, output: process.stdout }))
program.command('mcp').description('the tools over stdio, for a running service').action(mcp)
program
  .command('agent')
  .description('run one demo agent')
  .addArgument(new Argument('<name>').choices(demoAgentNames))
  .requiredOption('--platform <url>', 'address of the service')
  .option('--keys <dir>', 'where its key is kept', './data/agents')
  .option('--port <port>', 'port of its own surface', '0')
  .action(agent)

await program.parseAsync().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
