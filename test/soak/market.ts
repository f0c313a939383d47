import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../src/domain/json.ts'
import { createAgent } from '../../src/kit/kit.ts'
import { start } from '../cli/program.ts'
import { openWithClosers } from '../closers.ts'
import { plain } from '../hire/market.ts'
import { startServiceProcess } from '../load/serviceProcess.ts'
import { openUser } from '../service.ts'
import { type Bsc, chainId, startBsc } from './bsc.ts'

type Options = { blockSeconds: number; confirmations?: number | undefined; users: number }

/** The platform's fee of a hire, in basis points. */
export const feeBps = 250
const pollPauseMs = 500
/** USDC of each user at the start. */
export const startUsdc = 1_000
/** More blocks than the deepest reorganisation of a soak. */
const bedrock = 40

export const handles = { good: 'poet', failing: 'clumsy', away: 'sleeper' } as const

export type PublicMarket = Awaited<ReturnType<typeof openPublicMarket>>

/**
 * A market on a node that behaves like one of BSC. An operator deploys its contracts with `market operator deploy` and starts
 * the service with the settings that this wrote. Three agents work for it: one delivers, one fails, one takes no job.
 */
export const openPublicMarket = (options: Options) => openWithClosers(whenClosing => open(options, whenClosing))

const open = async ({ blockSeconds, confirmations, users }: Options, whenClosing: (close: () => Promise<unknown>) => void) => {
  const dir = await mkdtemp(join(tmpdir(), 'marketplace-bsc-'))
  whenClosing(() => rm(dir, { recursive: true, force: true }))
  const bsc = await startBsc({ blockSeconds })
  whenClosing(bsc.stop)
  const env = {
    ...{ DATA_DIR: dir, RPC_URL_56: bsc.proxy.url, PLATFORM_FEE_BPS: `${feeBps}`, LOG_LEVEL: 'silent', RATE_LIMIT: '0' },
    ...(confirmations !== undefined && { CONFIRMATIONS_56: `${confirmations}` }),
  }
  const { treasury, settings } = await deploy({ bsc, dir, env })
  await bsc.fill(treasury)
  const service = await startServiceProcess({ dir, env: { ...env, ...settings } })
  whenClosing(service.stop)
  const { url } = service
  const openOne = (name: string) => openUser(url, join(dir, `${name}.json`))

  const owner = await openOne('owner')
  const startAgent = async (handle: string, handler: () => Promise<string>) => {
    const agent = await createAgent({
      ...{ handle, name: handle, description: 'Writes haiku.', skills: [], platformUrl: url, pollPauseMs, chainId },
      ...{ credential: { token: owner.token }, offerings: [plain('0.4')], handler, log: () => undefined },
    }).start()
    whenClosing(agent.stop)
    return agent
  }
  const poet = await startAgent(handles.good, async () => 'An old silent pond')
  await startAgent(handles.failing, () => Promise.reject(new Error('The pond is empty.')))
  const sleeper = await startAgent(handles.away, async () => '')
  await sleeper.stop()
  const people = await Promise.all(Array.from({ length: users }, (_, at) => openOne(`user${at}`)))
  for (const it of people) await bsc.mint(it.proxy, startUsdc)
  await bsc.bury(bedrock)
  return { url, dir, bsc, service, settings, treasury, owner, poet: poet.agentId(), users: people }
}

const deployed = z.object({ treasury: z.string(), settings: z.record(z.string(), z.string()) })

/** Deploys as an operator does: runs the command, fills the wallet that it names, and runs it again. */
const deploy = async ({ bsc, dir, env }: { bsc: Bsc; dir: string; env: Record<string, string> }) => {
  const file = join(dir, 'contracts.env')
  const run = () => start(['operator', 'deploy', '--chain', `${chainId}`, '--settings', file, '--yes', '--json'], { env }).ended
  const poor = await run()
  const [, deployer] = /Send [\d.]+ coins to (0x[0-9a-f]{40})/.exec(poor.err) ?? []
  if (!deployer) throw new Error(`The deployment names no wallet to fill: ${poor.err}`)
  await bsc.fill(deployer)
  const done = await run()
  if (done.code !== 0) throw new Error(`The deployment failed: ${done.err}`)
  const { treasury } = deployed.parse(parseJson(done.out.trimEnd().split('\n').at(-1) ?? ''))
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
  const settings = Object.fromEntries(lines.map(it => it.split('=') as [string, string]))
  return { treasury, settings: z.record(z.string(), z.string()).parse(settings) }
}
