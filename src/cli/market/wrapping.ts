import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import type { Command } from 'commander'
import { z } from 'zod'
import { jsonObject, parseJson } from '../../domain/json.ts'
import { maxDecimals, parseUsdc } from '../../domain/money/money.ts'
import { toSlug } from '../../domain/slug.ts'
import { openCommand } from '../../kit/wrap/command.ts'
import { type PriceList, readPriceList, toPriceList, writePriceList } from '../../kit/wrap/priceList.ts'
import { isRunnable } from '../../kit/wrap/program.ts'
import type { Source } from '../../kit/wrap/source.ts'
import type { Wrapped } from '../../kit/wrap/wrap.ts'
import { type Context, type Done, type Environment, type Host, runs } from './command.ts'
import { createBuyer } from './paying.ts'
import { type RunOptions, runAgent } from './running.ts'
import { only, toEnvironment, withEnv } from './wrappedEnvironment.ts'

type CommandFlags = {
  requirement?: string
  deliverable?: string
  stdin?: string
  files?: string
  name?: string
  description?: string
} & EnvFlag
type EnvFlag = { env: string[] }
type McpFlags = { files?: string; givesFiles?: string }

type WrapOptions = RunOptions & {
  handle?: string
  price: string
  only?: string
  file: string
  dryRun?: boolean
}

const shared = (command: Command): Command =>
  command
    .option('--handle <handle>', 'unique name in the market; by default the name of the program')
    .option('--price <usdc>', 'price of everything that the price list does not name, in USDC', '0.02')
    .option('--only <names>', 'what to sell, separated by commas; everything by default')
    .option('--file <file>', 'the price list; it is written at the first run and read later', 'market.json')
    .option('--dry-run', 'show the registration without registering', false)
    .option('--port <port>', 'port of the local surface; a free one by default')
    .option('--host <host>', 'address that the local surface listens on')
    .option('--public-url <url>', 'address at which the market calls this agent; it polls by default')
    .option('--concurrency <count>', 'jobs worked on at the same time', '4')

export const addWrapCommands = (agent: Command, host: Host): void => {
  const group = agent
    .command('wrap')
    .description('sell what exists: an MCP server, an A2A agent, an HTTP API, a command or a paid resource')
  const mcp = withEnv(group.command('mcp').argument('<server...>', 'its address, or after -- the command that starts it'))
    .option('--files <members>', 'arguments that are files, separated by commas; a tool gets the path of a temporary file')
    .option('--gives-files <tools>', 'tools whose pictures and other bytes are delivered as files, separated by commas')
  runs(shared(mcp).description('sell the tools of an MCP server'), host, {
    example: 'market agent wrap mcp --price 0.02 -- npx -y @modelcontextprotocol/server-memory',
    run: async (context, options: WrapOptions & EnvFlag & McpFlags, server: string[]) => {
      const { openMcp } = await import('../../kit/wrap/mcp.ts')
      const { env, variables } = toEnvironment(context.env, options.env)
      const [first = ''] = server
      const place = isAddress(first) ? { url: first, headers: {} } : { command: server, env: { ...env, ...variables } }
      const files = { members: toNames(options.files), tools: toNames(options.givesFiles) }
      return sell(context, await openMcp(place, namesOf(options), files), options)
    },
  })
  const a2aCommand = shared(group.command('a2a').argument('<url>', 'address of the agent or of its card')).description(
    'sell the skills of an A2A agent',
  )
  runs(a2aCommand, host, {
    example: 'market agent wrap a2a https://agent.example.com',
    run: async (context, options: WrapOptions, url: string) => {
      const { openA2a } = await import('../../kit/wrap/a2a.ts')
      return sell(context, await openA2a(url, namesOf(options)), options)
    },
  })
  const openapi = group.command('openapi').argument('<document>', 'address or file of an OpenAPI 3 document')
  runs(shared(openapi).description('sell the operations of an HTTP API'), host, {
    example: 'API_BEARER=secret market agent wrap openapi https://api.example.com/openapi.json --only translate',
    run: async (context, options: WrapOptions, document: string) => {
      const { openOpenApi } = await import('../../kit/wrap/openapi.ts')
      const source = await openOpenApi(document, { only: namesOf(options), env: apiCredentials(context.env) })
      return sell(context, source, options)
    },
  })
  addCommandSource(group, host)
  addPaidSource(group, host)
}

/** What the price list sells, where it is one thing: a later start need not say its name again, and its jobs go on. */
const soldBefore = async (file: string): Promise<{ name: string; description: string } | undefined> => {
  const list = await readPriceList(file)
  const [only, ...others] = Object.entries(list?.offerings ?? {})
  return only && others.length === 0 ? { name: only[0], description: only[1].description ?? only[0] } : undefined
}

const addCommandSource = (group: Command, host: Host): void => {
  const command = withEnv(group.command('command'))
    .argument('<command...>', 'after -- the program and its arguments; {member} is replaced by a member of the input')
    .option('--files <members>', 'members that are files: {member} is a path; files in {output_folder} are delivered')
    .option('--requirement <file>', 'JSON schema of the input; by default one text for each {member}')
    .option('--deliverable <file>', 'JSON schema of the output; by default any text')
    .option('--stdin <member>', 'what the program reads: a member of the input, or - for all of it')
    .option('--name <name>', 'name of the offering; by default the name of the program')
    .option('--description <words>', 'what it does, for buyers')
    .description('sell a program, which is started for each job without a shell')
  runs(shared(command), host, {
    example: 'market agent wrap command --name "Count lines" --stdin text -- wc -l',
    run: async (context, options: WrapOptions & CommandFlags, command: string[]) => {
      const [program = ''] = command
      if (!(await isRunnable(program, context.env.PATH)))
        throw new Error(`There is no program “${program}” here that could be started.`)
      const sold = await soldBefore(options.file)
      const name = options.name ?? sold?.name ?? basename(program)
      const source = openCommand({
        command,
        name,
        description: options.description ?? (name === sold?.name ? sold.description : name),
        ...toEnvironment(context.env, options.env),
        files: toNames(options.files),
        ...(options.stdin !== undefined && { stdin: options.stdin }),
        ...(options.requirement !== undefined && { requirement: await readSchema(options.requirement) }),
        ...(options.deliverable !== undefined && { deliverable: await readSchema(options.deliverable) }),
      })
      return sell(context, source, options)
    },
  })
}

type PaidFlags = Omit<CommandFlags, 'stdin'> & { get?: boolean; from?: string }

const addPaidSource = (group: Command, host: Host): void => {
  const paid = group
    .command('x402')
    .argument('<url...>', 'address of an x402 resource; with --from, words for what it does')
    .option('--from <catalogue>', 'sell the best checked resources that this catalogue lists, as the market finds them')
    .option('--get', 'send the input in the query of a GET; a POST with a JSON body without it')
    .option('--requirement <file>', 'JSON schema of the input; any by default')
    .option('--deliverable <file>', 'JSON schema of the output; by default any text')
    .option('--name <name>', 'name of the offering; by default the end of the address')
    .option('--description <words>', 'what it does, for buyers; by default the words of its seller')
    .description('sell a resource that is paid by x402, bought for each job from your custodial wallet')
  runs(shared(paid), host, {
    example: 'market agent wrap x402 https://api.example.com/weather --get --price 0.05',
    run: async (context, options: WrapOptions & PaidFlags, words: string[]) => {
      const { from, name, description, requirement, deliverable, get = false } = options
      if (from !== undefined) return sell(context, await openListed(context, from, words.join(' ')), options)
      const { openX402 } = await import('../../kit/wrap/x402.ts')
      const [url = ''] = words
      if (words.length > 1) throw new Error('Name one address, or a catalogue with --from.')
      const source = await openX402({
        url,
        isGet: get,
        name,
        description,
        buyer: createBuyer(context.client),
        requirement: requirement === undefined ? {} : await readSchema(requirement),
        deliverable: deliverable === undefined ? {} : await readSchema(deliverable),
      })
      return sell(context, source, options)
    },
  })
}

/** How many resources of a catalogue become one agent. */
const mostListed = 3

const listed = z.object({
  outside: z
    .array(z.object({ url: z.string(), catalogue: z.string(), method: z.string(), name: z.string(), requirement: jsonObject }))
    .optional(),
})

/** Opens the best resources that a catalogue lists, of those that the market checked. */
const openListed = async ({ client }: Context, from: string, query: string): Promise<Source> => {
  const { outside } = listed.parse(await client.get(`/offerings/search?limit=50&query=${encodeURIComponent(query)}`))
  if (!outside) throw new Error('This market reads no catalogues: its operator names them in CATALOGUES.')
  const found = outside.filter(it => it.catalogue === from).slice(0, mostListed)
  if (found.length === 0) throw new Error(`${from} lists nothing for “${query}” that answered its last check.`)
  const { joinSources, openX402 } = await import('../../kit/wrap/x402.ts')
  const open = found.map(({ url, method, name, requirement }) =>
    openX402({
      url,
      name,
      requirement,
      isGet: method === 'GET',
      description: undefined,
      deliverable: {},
      buyer: createBuyer(client),
    }),
  )
  return joinSources(await Promise.all(open))
}

const readSchema = async (file: string) => {
  const schema = jsonObject.safeParse(parseJson(await readFile(file, 'utf8')))
  if (!schema.success) throw new Error(`${file} is not a JSON schema.`)
  return schema.data
}

const isAddress = (text: string) => /^https?:\/\//.test(text)
const toNames = (text = ''): string[] => text.split(',').flatMap(it => it.trim() || [])
const namesOf = ({ only }: WrapOptions): string[] => toNames(only)

const apiCredentials = (env: Environment) => only(env, name => name.startsWith('API_'))

const sell = async (context: Context, source: Source, options: WrapOptions): Promise<Done> => {
  try {
    const list = await listOf(context, source, options)
    const { wrap } = await import('../../kit/wrap/wrap.ts')
    const { leftOut, ...own } = wrap(source, list)
    for (const it of leftOut) context.say(`Not sold: ${it.id} (${it.reason})`)
    if (own.offerings.length === 0) throw new Error('None of it can be sold.')
    if (options.dryRun) {
      await source.close()
      return describe(context, own)
    }
    const done = await runAgent(context, own, options)
    return { ...done, goOn: async () => done.goOn?.().finally(source.close) }
  } catch (error) {
    await source.close()
    throw error
  }
}

const describe = async ({ settings, say }: Context, own: Omit<Wrapped, 'leftOut'>): Promise<Done> => {
  const { describeRegistration } = await import('../../kit/kit.ts')
  const body = jsonObject.parse(describeRegistration(own, settings.url))
  say(JSON.stringify(body, null, 2))
  return { result: { registration: body } }
}

const listOf = async ({ say }: Context, source: Source, options: WrapOptions): Promise<PriceList> => {
  const { file, price, dryRun } = options
  if (parseUsdc(price, maxDecimals) === undefined)
    throw new Error(`--price ${price} is no amount of USDC. Write it as plain decimals: 0.02.`)
  const kept = await readPriceList(file)
  const fresh = toPriceList(source, { handle: options.handle ?? toHandle(source.name), price })
  const list = kept
    ? { ...kept, ...(options.handle && { handle: options.handle }), offerings: { ...fresh.offerings, ...kept.offerings } }
    : fresh
  if (kept) say(`The prices in ${file} hold, whatever --price says. Change them there.`)
  else if (!dryRun) {
    await writePriceList(file, list)
    say(`Prices are in ${file}. Change them there.`)
  }
  return list
}

/** Converts a program's name to a handle: `@scope/server-memory` becomes `server-memory`. */
export const toHandle = (name: string): string => toSlug(basename(name, extname(name)), 64) || 'agent'
