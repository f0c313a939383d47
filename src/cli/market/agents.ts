import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { z } from 'zod'
import { dayMs, toIso } from '../../domain/durations.ts'
import { jsonObject, parseJson } from '../../domain/json.ts'
import { maxDecimals, parseUsdc, sumUsdc } from '../../domain/money/money.ts'
import { agentRecord, offeringRecord, registrationRecord } from '../../records/agent.ts'
import { earningsRecord } from '../../records/market/earnings.ts'
import { jobRecord } from '../../records/postedJob.ts'
import { ownerOf } from './account.ts'
import { type Context, type Host, runs } from './command.ts'
import { keepId } from './running.ts'

const record = agentRecord
  .pick({ agent_id: true, handle: true, name: true, description: true })
  .extend({
    health_status: z.string().default('unknown'),
    job_offerings: z.array(offeringRecord.pick({ id: true, name: true, price_v2: true }).catchall(z.json())),
  })
  .catchall(z.json())
const jobs = z.array(
  jobRecord
    .pick({ job_id: true, provider_id: true, reward_amount: true, description: true })
    .extend({ status: z.string() })
    .catchall(z.json()),
)

const registered = registrationRecord.pick({ agent_id: true, handle: true, warnings: true }).catchall(z.json())

const shownDays = 30
const shownChars = 80

/** Returns the named agent or the stored one. @throws Error when there is neither */
export const agentNamed = ({ settings }: Context, name: string | undefined): string => {
  const agent = name ?? settings.agentId
  if (!agent) throw new Error('Name an agent, or register one first.')
  return agent
}

const pathOf = (context: Context, name: string | undefined) => `/agents/${encodeURIComponent(agentNamed(context, name))}`

type Adds = (agent: Command, host: Host) => void

const addList: Adds = (agent, host) => {
  runs(agent.command('list').description('list your agents'), host, {
    example: 'market agent list',
    run: async ({ client, say }) => {
      const found = z.array(record).parse(await client.get('/my-agents'))
      for (const it of found)
        say(`${it.handle.padEnd(24)} ${it.health_status.padEnd(10)} ${it.job_offerings.length} offerings  ${it.agent_id}`)
      return { result: { agents: found } }
    },
  })
}

const toPriceWords = ({ type, amount, per_unit, unit, counting }: z.infer<typeof offeringRecord>['price_v2']) =>
  type === 'usage' ? `at most ${amount} USDC (${per_unit} per unit: ${unit}, ${counting})` : `${amount} USDC`

const addShow: Adds = (agent, host) => {
  runs(agent.command('show').argument('[agent]', 'id or handle; your last one by default').description('show an agent'), host, {
    example: 'market agent show word-count',
    run: async (context, _options, name?: string) => {
      const it = record.parse(await context.client.get(pathOf(context, name)))
      context.say(`${it.name} (${it.handle}), ${it.agent_id}, ${it.health_status}`)
      for (const { id, price_v2, name } of it.job_offerings) context.say(`  ${id.padEnd(24)} ${toPriceWords(price_v2)}  ${name}`)
      return { result: it }
    },
  })
}

const addRegister: Adds = (agent, host) => {
  const registerCommand = agent
    .command('register')
    .argument('<file>', 'registration as JSON: handle, name, description, job_offerings, endpoint_url')
    .description('register an agent that runs elsewhere, or change its registration')
  runs(registerCommand, host, {
    example: 'market agent register agent.json',
    run: async (context, _options, file: string) => {
      const body = jsonObject.safeParse(parseJson(await readFile(file, 'utf8')))
      if (!body.success) throw new Error(`${file} must contain a JSON object.`)
      const { chainId } = context.settings
      const on = chainId !== undefined && { chain_id: chainId }
      const said = registered.parse(await context.client.post('/agents/register', { ...on, ...body.data }))
      await keepId(context, said.agent_id)
      for (const it of said.warnings) context.say(`warning: ${it}`)
      context.say(`${said.handle} is registered as ${said.agent_id}.`)
      return { result: said }
    },
  })
}

const addUpdate: Adds = (agent, host) => {
  const updateCommand = agent
    .command('update')
    .argument('<agent>')
    .argument('<changes>', 'members to change, as JSON; null removes one')
    .description('change the record of an agent')
  runs(updateCommand, host, {
    example: `market agent update word-count '{"description":"Counts words in any language"}'`,
    run: async (context, _options, ...[name, changes]: [string, string]) => {
      const body = jsonObject.safeParse(JSON.parse(changes))
      if (!body.success) throw new Error('The changes must be a JSON object.')
      const changed = record.parse(await context.client.put(pathOf(context, name), body.data))
      context.say(`${changed.handle} is changed.`)
      return { result: changed }
    },
  })
}

const addRetire: Adds = (agent, host) => {
  runs(agent.command('retire').argument('<agent>').description('take an agent off the market'), host, {
    example: 'market agent retire word-count',
    run: async (context, _options, name: string) => {
      const owner = ownerOf(context.settings.token ?? '')
      const said = await context.client.delete(`/users/${owner}/agents/${encodeURIComponent(name)}`)
      context.say(`${name} is off the market. Registering it again brings it back.`)
      return { result: jsonObject.parse(said) }
    },
  })
}

const addJobs: Adds = (agent, host) => {
  runs(agent.command('jobs').argument('[agent]').description('list the jobs of your agents, newest first'), host, {
    example: 'market agent jobs',
    run: async (context, _options, name?: string) => {
      const all = jobs.parse(await context.client.get('/my-jobs?role=provider'))
      const only = name === undefined ? undefined : record.parse(await context.client.get(pathOf(context, name))).agent_id
      const found = all.filter(it => only === undefined || it.provider_id === only)
      for (const { job_id, status, reward_amount, description } of found)
        context.say(
          `${job_id}  ${status.padEnd(9)}  ${String(reward_amount).padStart(8)} USDC  ${description.slice(0, shownChars)}`,
        )
      return { result: { jobs: found } }
    },
  })
}

const addEarnings: Adds = (agent, host) => {
  const earnings = agent.command('earnings').argument('[agent]', 'id or handle; all of yours by default')
  runs(earnings.description('show what your agents earned in the last thirty days'), host, {
    example: 'market agent earnings word-count',
    run: async (context, _options, name?: string) => {
      const from = toIso(Date.now() - shownDays * dayMs)
      const own = name === undefined ? z.array(record).parse(await context.client.get('/my-agents')) : []
      const named = name === undefined ? own : [record.parse(await context.client.get(pathOf(context, name)))]
      const earned = await Promise.all(named.map(it => earnedBy(context, it, from)))
      const amount = sumUsdc(earned.map(it => ({ amount: parseUsdc(it.amount, maxDecimals) ?? 0n, decimals: maxDecimals })))
      if (earned.length !== 1) context.say(`${amount} USDC since ${from.slice(0, 10)}, all agents`)
      return { result: { ...(earned.length === 1 ? earned[0] : { agents: earned }), amount, currency: 'USDC', from } }
    },
  })
}

/** Reads and prints what one agent earned. */
const earnedBy = async ({ client, say }: Context, { agent_id, handle }: z.infer<typeof record>, from: string) => {
  const path = `/agents/${encodeURIComponent(agent_id)}/earnings?starts=${encodeURIComponent(from)}`
  const [sum] = earningsRecord.parse(await client.get(path))
  const fees = sum?.token_fees ?? undefined
  const amount = sum?.amount ?? '0'
  say(`${handle}: ${amount} USDC since ${from.slice(0, 10)}`)
  if (fees) say(`  token fees: ${fees.amount} ${fees.currency}`)
  return { agent: agent_id, handle, amount, ...(fees && { token_fees: fees }) }
}

const addSecret: Adds = (agent, host) => {
  const secretCommand = agent
    .command('secret')
    .argument('[agent]')
    .description('issue a secret with which an agent polls; it replaces the last one')
  runs(secretCommand, host, {
    example: 'market agent secret word-count',
    run: async (context, _options, name?: string) => {
      const said = z
        .object({ agent_id: z.string(), secret: z.string() })
        .parse(await context.client.post(`${pathOf(context, name)}/secret`, {}))
      context.say(`${said.secret}\nIt is shown once. Send it as X-Agent-Secret.`)
      return { result: said }
    },
  })
}

/** The commands of `market agent`, in the order of its help. */
export const addAgentCommands: Adds = (agent, host) => {
  for (const add of commands) add(agent, host)
}

const commands = [addList, addShow, addRegister, addUpdate, addRetire, addJobs, addEarnings, addSecret]
