import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Command, Option } from 'commander'
import { z } from 'zod'
import type { JsonObject } from '../../domain/json.ts'
import type { AgentOptions, Mode } from '../../kit/kit.ts'
import { type Context, type Done, type Host, runs } from './command.ts'
import { type RunOptions, runAgent } from './running.ts'

const modes: readonly Mode[] = ['auto', 'manual', 'polling', 'polling-manual']

type Own = Pick<AgentOptions, 'handle' | 'name' | 'description' | 'skills' | 'offerings' | 'handler'> & Partial<AgentOptions>

/** The `agent` that a file exports. The kit validates the offerings; this checks the other members. */
const exported = z.object({
  agent: z.custom<Own>(it => {
    const shape = z.looseObject({
      handle: z.string(),
      name: z.string(),
      offerings: z.array(z.unknown()),
      handler: z.custom(handler => typeof handler === 'function'),
    })
    return shape.safeParse(it).success
  }),
})

/** Reads an agent from a file. @throws Error that says what the file must export */
export const readAgentFile = async (file: string): Promise<Own> => {
  const module: unknown = await import(pathToFileURL(resolve(file)).href).catch((cause: unknown) => {
    if (!(cause instanceof SyntaxError) || !/\.[jt]s$/.test(file)) throw cause
    const remedy = `Rename it to ${file.replace(/([jt])s$/, 'm$1s')}, or set "type": "module" in package.json.`
    throw new Error(`${file} cannot be read as a module: ${cause.message}. ${remedy}`, { cause })
  })
  const found = exported.safeParse({ ...(typeof module === 'object' && module) })
  if (!found.success) throw new Error(`${file} must export an object \`agent\` with handle, name, offerings and handler.`)
  return { ...found.data.agent, skills: found.data.agent.skills ?? [], description: found.data.agent.description ?? '' }
}

export const addServeCommands = (agent: Command, host: Host): void => {
  const serveCommand = agent
    .command('serve')
    .argument('<file>', 'JavaScript or TypeScript that exports `agent`')
    .addOption(new Option('--mode <mode>', 'how it registers and gets its work').choices(modes).default('polling'))
    .option('--public-url <url>', 'address at which the market calls it, for the modes auto and manual')
    .option('--port <port>', 'port of the local surface; a free one by default')
    .option('--host <host>', 'address that the local surface listens on; all by default', '0.0.0.0')
    .option('--concurrency <count>', 'jobs worked on at the same time', '1')
    .description('register an agent of your own and run it')
  runs(serveCommand, host, {
    example: 'market agent serve agent.mts --mode polling',
    run: async (context, options: RunOptions & { mode?: Mode }, file: string): Promise<Done> => {
      const { mode = 'polling' } = options
      const own = await readAgentFile(file)
      return runAgent(context, { ...own, mode, confirm: body => confirm(context, body) }, options)
    },
  })
}

const confirm = async ({ say, confirm: ask }: Context, body: JsonObject): Promise<boolean> => {
  say(JSON.stringify(body, null, 2))
  const answer = await ask('Register this?')
  if (answer === undefined) throw new Error('The manual modes ask before they register. Run this in a terminal.')
  if (!answer) say('Not registered. The agent serves locally only.')
  return answer
}
