import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import { hasDemoAgents, startDemoAgents } from './cli/demoAgents.ts'
import { addMarketCommands } from './cli/market/market.ts'
import { ownCommand } from './cli/ownCommand.ts'
import { type Config, readConfig } from './config.ts'
import type { DemoHandle } from './domain/agents/localAgents.ts'
import { addOperatorCommands } from './operatorCommands.ts'
import { endWithReader } from './process/closedOutput.ts'
import { requireParts } from './process/parts.ts'
import { untilStopped } from './process/untilStopped.ts'

// Files are readable by the operator only, including those written by libraries and the chain's process.
process.umask(0o077)

endWithReader()

// Each command loads its own modules, because loading all of them takes a second.
const serve = async (config: Config) => {
  requireParts({ anvil: config.chains.length === 0 && config.anvil === undefined })
  return (await import('./service.ts')).startService({ config })
}

/** Where the commands look for the service, unless they are told otherwise. */
const usualUrl = 'http://127.0.0.1:8001'

const sessionFile = (dataDir: string) => join(dataDir, 'demo-user.json')

const start = async ({ rebuild }: { rebuild: boolean }) => {
  const stopped = untilStopped()
  const read = readConfig(process.env)
  const config = { ...read, rebuild: rebuild || read.rebuild }
  const service = await serve(config)
  const agents = config.local
    ? startDemoAgents({ url: service.url, keysDir: join(config.dataDir, 'agents'), names: config.localAgents })
    : undefined
  console.log(`Serving platform, gateway and identity on ${service.url}; data in ${resolve(config.dataDir)}.`)
  if (config.local) {
    console.log(`Open ${service.url} in a browser. ${toJoining(config.localAgents)}`)
    const at = service.url === usualUrl ? '' : `SERVICE_ENDPOINT=${service.url} `
    console.log(`In a second terminal: ${at}${ownCommand('chat')}, or ${at}${ownCommand('mcp')} (over HTTP ${service.url}/mcp).`)
    console.log(`What it speaks: ${service.url}/openapi.json. Ctrl-C stops.`)
  }
  const reason = await Promise.race([stopped, service.ended])
  await agents?.stop()
  await service.stop()
  if (reason) throw reason
}

/** The package has no demo agents; a provider's agent joins by itself. */
const toJoining = ({ length }: readonly DemoHandle[]): string =>
  hasDemoAgents
    ? `${length} demo agents are joining.`
    : 'The demo agents are in the repository only; yours joins with: npx market agent --help'

/** The agents of a demo with a plan: the second gets the result of the first. */
const planAgents: DemoHandle[] = ['demo-units', 'demo-qr']

const runDemo = async ({ json, plan }: { json: boolean; plan: boolean }) => {
  if (!hasDemoAgents)
    throw new Error('The demo hires a demo agent, and these are in the repository only: run npm run demo there.')
  const stopped = untilStopped()
  const dataDir = await mkdtemp(join(tmpdir(), 'marketplace-demo-'))
  const place = {
    host: '127.0.0.1',
    port: 0,
    publicUrl: undefined,
    dataDir,
    readerDir: join(dataDir, 'reader'),
    databaseUrl: undefined,
    role: 'all' as const,
    local: true,
    chains: [],
  }
  const print = (line: string) => console.log(line)
  print('Starting chain, contracts, store, search, butler and the demo agents in a temporary folder …')
  const config = readConfig(process.env)
  // The demo's first hire needs City Clock.
  const names = [...new Set<DemoHandle>(['city-clock', ...(plan ? planAgents : []), ...config.localAgents])]
  const service = await serve({ ...config, ...place })
  const { url } = service
  const agents = startDemoAgents({ url, keysDir: join(dataDir, 'agents'), names })
  const [{ demo }, { demoPlan }, { openSession }] = [
    await import('./cli/demo.ts'),
    await import('./cli/demoPlan.ts'),
    await import('./cli/session.ts'),
  ]
  const show = async () => {
    const { token } = await openSession({ url, file: sessionFile(dataDir) })
    const shown = { url, token, say: print, elapsedMs: () => performance.now() }
    return plan ? demoPlan({ ...shown, agents: planAgents }) : demo({ ...shown, agent: 'city-clock' })
  }
  try {
    const result = await Promise.race([show(), stopped])
    if (!result) throw new Error('Stopped.')
    print(
      `\nFrom a sentence to settled USDC in ${result.seconds} s. To keep a world like this: ` +
        `${ownCommand('start')}, then ${ownCommand('chat')}`,
    )
    if (json) print(JSON.stringify(result))
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

const signIn = async (url: string) => {
  const given = process.env.SERVICE_PROXY_AUTH
  if (given) return { url, token: given }
  const { openSession } = await import('./cli/session.ts')
  const { token } = await openSession({ url, file: sessionFile(readConfig(process.env).dataDir) })
  return { url, token }
}

/** Standard output is reserved for MCP. Without a running service this process starts one, as `start` does. */
const mcp = async () => {
  const stopped = untilStopped()
  const config = readConfig(process.env)
  const isServed = process.env.SERVICE_ENDPOINT !== undefined || (await isAlive(serviceUrl()))
  const service = isServed ? undefined : await serve(config)
  const agents =
    service && startDemoAgents({ url: service.url, keysDir: join(config.dataDir, 'agents'), names: config.localAgents })
  try {
    const url = service?.url ?? serviceUrl()
    const stdio = (await import('./stdio.ts')).serveTools(await signIn(url))
    await Promise.race([stopped, new Promise(closed => process.stdin.once('close', closed))])
    await stdio.close()
  } finally {
    await agents?.stop()
    await service?.stop()
  }
}

const isAlive = (url: string) =>
  fetch(`${url}/livez`).then(
    answer => answer.ok,
    () => false,
  )

const program = new Command('market')
  .description('A marketplace where autonomous agents are registered, found, hired and paid.')
  // The options after `run export` are not those of `run`.
  .enablePositionalOptions()
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))

program
  .command('start')
  .description('serve, with the demo agents in the local world')
  .option('--rebuild', 'first forget what was read from the chains, and read it again', false)
  .action(start)
program
  .command('demo')
  .description('the first hire, from a sentence to settled USDC')
  .option('--json', 'end with one JSON object', false)
  .option('--plan', 'two tasks in one request: the result of the first flows on to the second', false)
  .action(runDemo)
program
  .command('chat')
  .description('talk to the butler of a running service')
  .option('--resume [conversation]', 'go on with an earlier conversation; the newest one without an id')
  .action(async ({ resume }: { resume?: string | true }) => {
    const { chat } = await import('./cli/chat.ts')
    await chat({
      ...(await signIn(serviceUrl())),
      input: process.stdin,
      output: process.stdout,
      ...(resume !== undefined && { resume }),
    })
  })
program.command('mcp').description('the tools over stdio, for a running service').action(mcp)
const ownAgents = program.command('agent').description('sell work: register, run and look after agents')
addMarketCommands(program, ownAgents, {
  env: process.env,
  // It is read only when a command needs it, because the doctor reports a wrong setting itself.
  get fallbackUrl() {
    const { host, port } = readConfig({ HOST: process.env.HOST, PORT: process.env.PORT })
    return `http://${host}:${port}`
  },
  stopped: untilStopped,
})

addOperatorCommands(program)

await program.parseAsync().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
