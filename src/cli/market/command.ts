import { styleText } from 'node:util'
import { type Command, InvalidArgumentError } from 'commander'
import { z } from 'zod'
import { type JsonObject, jsonObject } from '../../domain/json.ts'
import { toPrintable } from '../../domain/text/quotableText.ts'
import { type Client, createClient, Refused } from '../client.ts'
import { ownCommand } from '../ownCommand.ts'
import { confirm } from './confirm.ts'
import { type Environment, readSettings, type Settings } from './settings.ts'

export type { Environment }

export type Context = {
  settings: Settings
  env: Environment
  client: Client
  say(line: string): void
  /** Dims a text if the output is a terminal. */
  dim(text: string): string
  /** Asks a yes-or-no question; undefined without a terminal. */
  confirm(question: string): Promise<boolean | undefined>
  /** Resolves when the process receives a signal to stop. */
  stopped: Promise<void>
}

export type Host = {
  env: Environment
  fallbackUrl: string
  stopped(): Promise<void>
}

type Options = { url?: string; json?: boolean } & Record<string, unknown>

/** The result of a command: the object that `--json` prints. `failed` sets the exit code to 1; `goOn` runs afterwards. */
export type Done = { result: JsonObject; failed?: boolean; goOn?: () => Promise<void> }

export const withChain = (command: Command): Command =>
  command.option(
    '--chain <id>',
    'chain id; without it 97, or else the first test chain that the service has',
    (text: string): number => {
      if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Name a chain by its id, such as 97.')
      return Number(text)
    },
  )

/** The chain of a command as a member of a request; empty without the option. */
export const onChain = ({ chain }: Record<string, unknown>): { chain_id?: number } =>
  typeof chain === 'number' ? { chain_id: chain } : {}

export const toQuery = (members: Record<string, string | number>): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(members)) query.set(name, String(value))
  return query.toString()
}

/** Adds the common options, an example in the help, and the action to a command. */
export const runs = <A extends unknown[]>(
  command: Command,
  host: Host,
  { example, run }: { example: string; run(context: Context, options: Options, ...args: A): Promise<Done> },
): Command =>
  command
    .option('--url <address>', 'address of the service (SERVICE_ENDPOINT)')
    .option('--json', 'print one JSON object as the last line', false)
    .addHelpText('after', `\nExample:\n  ${example}`)
    .action(async (...given: unknown[]) => {
      const args = given.slice(0, -2) as A
      const options = given.at(-2) as Options
      await perform(host, options, context => run(context, options, ...args))
    })

/** Like `runs`, for a command that deletes what its argument names below `path`, and prints `said`. */
export const ends = (command: Command, host: Host, { example, path, said }: { example: string; path: string; said: string }) =>
  runs(command, host, {
    example,
    run: async ({ client, say }, _options, id: string) => {
      const answer = await client.delete(`${path}/${encodeURIComponent(id)}`)
      say(said)
      return { result: jsonObject.parse(answer) }
    },
  })

const perform = async (host: Host, options: Options, run: (context: Context) => Promise<Done>) => {
  const isJson = options.json === true
  const out = isJson ? process.stderr : process.stdout
  try {
    const context = await openContext(host, options, out)
    const { result, failed, goOn } = await run(context)
    if (isJson) console.log(JSON.stringify(result))
    if (failed) process.exitCode = 1
    await goOn?.()
  } catch (error) {
    process.exitCode = 1
    const code = error instanceof Refused ? error.code : ''
    console.error(toWords(error))
    if (isJson) console.log(JSON.stringify({ error: toWords(error), ...(code && { code }) }))
  }
}

const openContext = async (host: Host, options: Options, out: NodeJS.WriteStream): Promise<Context> => {
  const settings = await readSettings(host.env, { url: options.url }, host.fallbackUrl)
  const { url, token } = settings
  return {
    settings,
    env: host.env,
    client: createClient({ url, ...(token && { token }) }),
    // A stranger's text must not steer a terminal. A file or another program gets it unchanged.
    say: line => void out.write(`${out.isTTY ? toPrintable(line) : line}\n`),
    dim: text => (out.isTTY ? styleText('dim', text, { stream: out }) : text),
    confirm: question => confirm(question, out),
    get stopped() {
      return host.stopped()
    },
  }
}

/** The first fault of a value, in place of the list of the validator. */
const toFault = ({ issues: [issue] }: z.ZodError): string => {
  const place = issue && issue.path.length > 0 ? ` at /${issue.path.map(String).join('/')}` : ''
  return `That does not fit${place}: ${issue?.message ?? 'it is not valid'}`
}

const isMissing = (error: unknown): error is NodeJS.ErrnoException & { path: string } =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT' && 'path' in error && typeof error.path === 'string'

const toWords = (error: unknown): string => {
  if (error instanceof Refused && error.status === 401) return `${error.message} Sign in with: ${ownCommand('login')}`
  if (error instanceof Refused && error.pointer) return `${error.message} (at ${error.pointer})`
  if (error instanceof z.ZodError) return toFault(error)
  if (isMissing(error))
    return error.syscall?.startsWith('spawn') ? `There is no program ${error.path}.` : `There is no file ${error.path}.`
  return error instanceof Error ? error.message : String(error)
}
