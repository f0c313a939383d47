import { copyFileSync } from 'node:fs'
import { createMemorySearch } from '../../world/search.ts'
import { createAgent } from './actors/agents.ts'
import { createFacilitator } from './actors/facilitator.ts'
import { createPayer, type Payer } from './actors/payers.ts'
import { type Agent, register } from './actors/provider.ts'
import { createSeller } from './actors/seller.ts'
import type { User } from './actors/talks.ts'
import { themes } from './actors/themes.ts'
import { createTrader, type Trader } from './actors/traders.ts'
import { createUser } from './actors/users.ts'
import { createChainModel } from './chain/chain.ts'
import { coinFor, places } from './chain/places.ts'
import { createFaults } from './faults.ts'
import type { Ground } from './ground.ts'
import { turn } from './heal.ts'
import { startingUsdc, startingWrapped } from './invariants/money.ts'
import { kinds } from './kinds.ts'
import type { Mutation } from './mutation.ts'
import type { Random } from './random.ts'
import { createTime } from './time.ts'
import { stranger } from './weather.ts'
import type { World } from './world.ts'

export type ScenarioOptions = {
  seed: number
  scenario: number
  /** An empty migrated database to copy, and the folder for copies. */
  template: string
  dir: string
  mutation?: Mutation
  /** Kinds of faults to prefer. */
  focus?: readonly number[]
  /** Whether users ask for several things at once. They do in a third of the scenarios where nothing is said. */
  plans?: boolean
  /** Whether everything is charged by use, and bought outside too. Otherwise chance decides. */
  byUse?: boolean
}

const traceLines = 400

/** Creates the environment before anything has happened. */
export const createGround = (
  { seed, scenario, template, dir, mutation, focus, plans, byUse = false }: ScenarioOptions,
  random: Random,
  trace: string[],
): Ground => {
  const file = `${dir}/${seed}-${scenario}.db`
  copyFileSync(template, file)
  const time = createTime()
  const told = (line: string) => {
    trace.push(line)
    if (trace.length > traceLines) trace.shift()
  }
  const search = createMemorySearch()
  const feeBps = random.pick([0, 250])
  const chosen = chooseKinds(random, focus)
  const enabled = byUse || random.fork('buying').chance(1 / 3) ? withoutReorgs(chosen) : chosen
  const faults = createFaults({ random: random.fork('faults'), enabled, told })
  const chain = createChainModel({ random: random.fork('chain'), now: time.now, feeBps })
  const permits = random.fork('permits').pick(['none', 'none', 'possible', 'only'] as const)
  const takesUpto = byUse || random.fork('upto').chance(0.7)
  return {
    random: random.fork('world'),
    time,
    chain,
    seller: createSeller({ chain, faults, random: random.fork('seller'), permits, takesUpto, byUse }),
    facilitator: faults.has(95) ? createFacilitator({ chain, faults, random: random.fork('facilitator') }) : undefined,
    search,
    faults,
    terms: {
      feeBps,
      confirmations: random.pick([0, 0, 3]),
      isBlind: random.chance(0.3),
      resendAfterMs: random.pick([0, 5_000]),
      permits,
      takesUpto,
    },
    file,
    hidden: () => [],
    trace: told,
    errors: [],
    prompts: [],
    isPlanned: plans ?? random.fork('plans').chance(1 / 3),
    isByUse: byUse,
    mutation,
  }
}

/**
 * In a third of the scenarios no blocks are removed, and only there users buy outside. A purchase counts as paid after the
 * confirmations of its chain, and deeper reorganisations are not followed.
 */
const withoutReorgs = (enabled: ReadonlySet<number>) => new Set([...enabled].filter(it => ![26, 27, 85, 88].includes(it)))

/** Chooses some kinds of faults: rare combinations are found more often when few kinds are active. */
const chooseKinds = (random: Random, focus: readonly number[] | undefined): Set<number> => {
  const share = random.pick(focus ? [0, 0.1] : [0.15, 0.4, 0.7, 1])
  const possible = Object.keys(kinds).map(Number)
  return new Set([...(focus ?? []), ...possible.filter(() => random.chance(share))])
}

/** The actors of a scenario. */
export type Cast = { users: User[]; agents: Agent[]; payers: Payer[]; traders: Trader[] }

/** For a plan every kind of work is offered, and some of it twice, so that a step can have a standby. */
const planningAgents = (agents: Agent[], random: Random): Agent[] => {
  const missing = themes.slice(agents.length)
  const twins = random.shuffled(themes).slice(0, random.int(themes.length + 1))
  return [...missing, ...twins].map((theme, at) =>
    createAgent(`agent-${agents.length + at}`, {
      theme,
      price: random.pick([0, 0.05, 0.05, 0.5, 1.5]),
      slaMinutes: random.pick([1, 2, 5]),
      isCareful: random.chance(0.5),
    }),
  )
}

const countedUnits = ['characters', 'tokens'] as const
const priceUnits = ['fixed', ...countedUnits] as const

/** A turn that plans calls the ports so many times as often as another one, and would seldom end at the same rate of faults. */
const planShare = 5

/** Registers the agents, funds the users, and starts the faults. */
export const setTheStage = async (world: World, random: Random): Promise<Cast> => {
  const { chain, faults } = world.ground
  chain.give(places.treasury, coinFor.treasury)
  chain.mint(stranger, 1_000_000n)
  const cautions = random.fork('cautions')
  const units = random.fork('units')
  const planning = random.fork('planning')
  const { isPlanned, isByUse } = world.ground
  const agents = Array.from({ length: 1 + random.int(3) }, (_, at) =>
    createAgent(`agent-${at}`, {
      theme: themes[at % themes.length] ?? random.pick(themes),
      price: random.pick(isByUse ? [0.05, 0.05, 1.5] : [0, 0.05, 1.5]),
      unit: units.pick(isByUse ? countedUnits : priceUnits),
      slaMinutes: random.pick([1, 1, 2, 5]),
      isCareful: cautions.chance(0.5),
    }),
  )
  const users = Array.from({ length: 2 + random.int(2) }, (_, at) =>
    createUser(`user-${at}`, {
      wishes: 2 + random.int(5),
      themes: themes.slice(0, agents.length),
      mandates: random.chance(0.6) ? [] : undefined,
      planning: isPlanned ? planning.fork(`user-${at}`) : undefined,
    }),
  )
  if (isPlanned) agents.push(...planningAgents(agents, planning))
  for (const user of users) {
    user.proxy = await world.process.deps.wallets.ensure('user', user.wallet)
    chain.mint(user.proxy, startingUsdc)
  }
  const calling = random.fork('payers')
  const isCheated = [92, 93, 94, 95].some(it => faults.has(it))
  const payers = calling.chance(isByUse ? 1 : isCheated ? 0.75 : 0.5)
    ? Array.from({ length: 2 }, (_, at) => createPayer(`payer-${at}`, users[at]?.wallet, calling))
    : []
  for (const payer of payers) {
    chain.mint(payer.wallet, startingUsdc)
    chain.approvePermit2(payer.wallet, calling.pick([startingUsdc, startingUsdc, 1_500_000n]))
  }
  const trading = random.fork('traders')
  const traders = trading.chance(0.4)
    ? users.slice(0, 2).flatMap(({ wallet, proxy }) => (proxy ? [createTrader(wallet, proxy, trading)] : []))
    : []
  if (traders.length > 0) chain.mint(stranger, startingUsdc)
  for (const wallet of [...traders.map(it => it.wallet), ...(traders.length > 0 ? [stranger] : [])])
    chain.giveWrapped(wallet, startingWrapped)
  for (const { wallet } of traders) chain.give(wallet, startingWrapped)
  // In some scenarios the setup already has faults.
  if (random.chance(0.15)) faults.rate = 0.03
  for (const agent of agents) await register({ world, agent })
  for (let round = 0; round < 4; round++) await turn(world)
  // A permanent property of the node: some refuse transactions that cannot be in the next block.
  if (random.chance(0.3)) chain.weather.outOfTurn = random.fork('node').pick(['nonce-too-high', 'other', 'unfunded'])
  faults.rate = random.pick([0.03, 0.08, 0.15, 0.3]) / (isPlanned ? planShare : 1)
  return { users, agents, payers, traders }
}
