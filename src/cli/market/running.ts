import { hex } from '../../domain/hex.ts'
import type { AgentOptions, Credential, RunningAgent } from '../../kit/kit.ts'
import { ownCommand } from '../ownCommand.ts'
import type { Context, Done } from './command.ts'
import { changeStored } from './settings.ts'

export type RunOptions = { port?: string; host?: string; publicUrl?: string; concurrency?: string }

/** Returns the stored token or key. @throws Error when there is neither */
export const credentialOf = ({ settings: { token, privateKey } }: Context): Credential => {
  if (token) return { token }
  const key = hex.safeParse(privateKey?.replace(/^(?:0x)?/, '0x'))
  if (key.success) return { privateKey: key.data }
  throw new Error(`Sign in first: ${ownCommand('login')}, in the local world with --demo.`)
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
    // The platform may be out of reach at the start: the id comes when it comes.
    onRegistered: id => void keepId(context, id),
    ...(settings.chainId !== undefined && { chainId: settings.chainId }),
    ...(options.port !== undefined && { port: toNumber(options.port, '--port') }),
    ...(options.host !== undefined && { host: options.host }),
    ...(options.publicUrl !== undefined && { endpointUrl: options.publicUrl }),
    ...(options.concurrency !== undefined && { concurrency: toNumber(options.concurrency, '--concurrency') }),
    ...own,
  })
  const running = await agent.start()
  const result = { agent_id: running.agentId(), handle: own.handle, url: running.url, offerings: own.offerings.map(it => it.id) }
  say(
    running.agentId()
      ? `${own.offerings.length === 1 ? '1 offering is' : `${own.offerings.length} offerings are`} for sale. ` +
          'Waiting for jobs; Ctrl-C ends.'
      : notYet,
  )
  return { result, goOn: () => untilStopped(context, running) }
}

const notYet = 'Nothing is for sale yet: the agent is not registered. Ctrl-C ends.'

/** Stores the id of an agent as the default of later commands. */
export const keepId = async ({ settings, say }: Context, id: string): Promise<void> => {
  await changeStored(settings.file, { AGENT_ID: id }).catch((error: unknown) =>
    say(`warning: the id is not stored: ${String(error)}`),
  )
}

const untilStopped = async ({ stopped }: Context, running: RunningAgent): Promise<void> => {
  // A late refusal ends the agent, and so the command.
  await Promise.race([stopped, running.ended])
  await running.stop()
}

const toNumber = (text: string, name: string): number => {
  if (!/^\d{1,5}$/.test(text)) throw new Error(`${name} must be a whole number.`)
  return Number(text)
}
