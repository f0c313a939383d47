import { hex } from '../../domain/hex.ts'
import type { AgentOptions, Credential, RunningAgent } from '../../kit/kit.ts'
import type { Context, Done } from './command.ts'
import { changeStored } from './settings.ts'

/** Common options of the commands that run an agent. */
export type RunOptions = { port?: string; host?: string; publicUrl?: string; concurrency?: string }

/** Returns the stored token or key. @throws Error when there is neither */
export const credentialOf = ({ settings: { token, privateKey } }: Context): Credential => {
  if (token) return { token }
  const key = hex.safeParse(privateKey?.replace(/^(?:0x)?/, '0x'))
  if (key.success) return { privateKey: key.data }
  throw new Error('Sign in first: market login, or market login --demo in the local world.')
}

type Own = Pick<AgentOptions, 'handle' | 'name' | 'description' | 'skills' | 'offerings' | 'handler'>

/** Registers and runs an agent until the process is stopped. Its id is stored as the default of later commands. */
export const runAgent = async (context: Context, own: Own & Partial<AgentOptions>, options: RunOptions): Promise<Done> => {
  const { settings, say } = context
  const { createAgent } = await import('../../kit/kit.ts')
  const agent = createAgent({
    platformUrl: settings.url,
    gatewayUrl: settings.gatewayUrl,
    credential: credentialOf(context),
    log: line => say(line),
    ...(settings.chainId !== undefined && { chainId: settings.chainId }),
    ...(options.port !== undefined && { port: toNumber(options.port, '--port') }),
    ...(options.host !== undefined && { host: options.host }),
    ...(options.publicUrl !== undefined && { endpointUrl: options.publicUrl }),
    ...(options.concurrency !== undefined && { concurrency: toNumber(options.concurrency, '--concurrency') }),
    ...own,
  })
  const running = await agent.start()
  if (running.agentId()) await changeStored(settings.file, { AGENT_ID: running.agentId() })
  const result = { agent_id: running.agentId(), handle: own.handle, url: running.url, offerings: own.offerings.map(it => it.id) }
  say(`${own.offerings.length} offerings are for sale. Waiting for jobs; Ctrl-C ends.`)
  return { result, goOn: () => untilStopped(context, running) }
}

const untilStopped = async ({ stopped }: Context, running: RunningAgent): Promise<void> => {
  await stopped
  await running.stop()
}

const toNumber = (text: string, name: string): number => {
  if (!/^\d{1,5}$/.test(text)) throw new Error(`${name} must be a whole number.`)
  return Number(text)
}
