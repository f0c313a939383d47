import type { Command } from 'commander'
import { z } from 'zod'
import { type Finding, finding, ok, wrong } from '../../domain/offerings/diagnosis.ts'
import { createClient, Refused } from '../client.ts'
import { ownCommand } from '../ownCommand.ts'
import { type Context, type Done, type Host, runs } from './command.ts'

const diagnosis = z.object({ agent_id: z.string(), handle: z.string(), findings: z.array(finding) })

const marks = { ok: 'ok     ', warning: 'warning', wrong: 'WRONG  ' } as const

export const addDoctorCommand = (agent: Command, host: Host): void => {
  const doctorCommand = agent
    .command('doctor')
    .argument('[agent]', 'id or handle; your last one by default')
    .description('say why an agent is not found, not called or not paid')
  runs(doctorCommand, host, {
    example: 'market agent doctor word-count --json',
    run: async (context, _options, name?: string): Promise<Done> => {
      const findings = await examine(context, name ?? context.settings.agentId)
      for (const it of findings) {
        context.say(`${marks[it.level]} ${it.check.padEnd(24)} ${it.words}`)
        if (it.remedy) context.say(`${' '.repeat(33)}→ ${it.remedy}`)
      }
      const healthy = findings.every(it => it.level !== 'wrong')
      return { result: { healthy, findings }, failed: !healthy }
    },
  })
}

/** Checks the service, then the caller, then the agent, and stops at the first problem. */
const examine = async (context: Context, name: string | undefined): Promise<Finding[]> => {
  const { client, settings } = context
  const steps: Finding[] = []
  const step = async (look: () => Promise<Finding>) => {
    const found = await look()
    steps.push(found)
    return found.level !== 'wrong'
  }
  if (!(await step(() => checkService(context)))) return steps
  if (!(await step(() => checkToken(context)))) return steps
  if (!name) return [...steps, wrong('agent', 'No agent is named, and none is stored.', 'Name one: market agent doctor <agent>')]
  try {
    const path = `/agents/${encodeURIComponent(name)}/diagnosis`
    return [...steps, ...diagnosis.parse(await client.get(path)).findings]
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'agent-not-found') throw error
    return [...steps, await whyNotFound(context, name, settings.url)]
  }
}

const checkService = async ({ settings: { url } }: Context): Promise<Finding> => {
  try {
    await createClient({ url }).get('/livez')
    return ok('service', `${url} answers.`)
  } catch (error) {
    const words = error instanceof Refused ? `${url} is not a market: ${error.message}` : `${url} cannot be reached.`
    return wrong('service', words, 'Set SERVICE_ENDPOINT or --url to the address of the market, and check that it runs.')
  }
}

const checkToken = async ({ client, settings }: Context): Promise<Finding> => {
  if (!settings.token) return wrong('signed in', 'Nobody is signed in.', `Sign in: ${ownCommand('login')}`)
  try {
    await client.get('/v1/wallets/me')
    return ok('signed in', 'The token is valid.')
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 401) throw error
    return wrong('signed in', error.message, `Sign in again: ${ownCommand('login')}`)
  }
}

/** The service reports an agent of another owner as unknown. The public record shows which case it is. */
const whyNotFound = async ({ client }: Context, name: string, url: string): Promise<Finding> => {
  const isKnown = await client.get(`/agents/${encodeURIComponent(name)}`).then(
    () => true,
    () => false,
  )
  return isKnown
    ? wrong('registered', `${name} belongs to another wallet.`, 'Sign in as its owner, or register under another handle.')
    : wrong('registered', `No agent is registered as ${name} at ${url}.`, 'Register it, and check its log.')
}
