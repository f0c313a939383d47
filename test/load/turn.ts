import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createButler } from '../../graphs/butler/advance.ts'
import { turnTools } from '../../prompts/turnTools.ts'
import { toButlerDeps } from '../../src/butlerDeps.ts'
import { createAiModel } from '../../src/llm/aiSdk.ts'
import { noModel } from '../../src/llm/noModel.ts'
import type { LanguageModel, Run, Search } from '../../src/ports.ts'
import { openSearch } from '../../src/search/search.ts'
import { createCheckpointer } from '../../src/store/runs/checkpointer.ts'
import { readPeople } from '../conversations/people/data.ts'
import { newest, type Question, startModelServer } from '../hire/modelServer.ts'
import { offering } from '../store/rows.ts'
import { openWorld, type World } from '../world.ts'
import { percentile, round } from './measures.ts'

type Options = { offerings: number; conversations: number; tasks: number; played: boolean; say: (line: string) => void }

const trades = 'bakers florists sailors teachers nurses joiners farmers pilots brewers dentists tailors miners'.split(' ')
const places = 'Oslo Lagos Quito Osaka Perth Turin'.split(' ')
/** Kinds of conversations whose first message is a request. */
const requests = ['task', 'vague', 'typo', 'budget']
const afterwards = ['how long does it take?', 'no thanks']
const warmUp = 10
const leaseMs = 600_000

const cpuMs = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1_000
}

/** Processor time in ms of a fixed amount of work, which tells one machine from another. */
const calibrate = (): number => {
  const since = process.cpuUsage()
  const text = JSON.stringify(Array.from({ length: 200 }, (_, at) => ({ at, name: `listing ${at}`, price: '0.05' })))
  for (let at = 0; at < 300; at += 1)
    createHash('sha256')
      .update(JSON.stringify(JSON.parse(text)))
      .digest()
  return cpuMs(since)
}

/** The offerings of the people's market once for each trade and place, in the database and in the index. */
const stock = async (world: World, search: Search, count: number): Promise<void> => {
  const { market: lines } = await readPeople()
  const suffixes = places.flatMap(place => trades.map(trade => `for ${trade} of ${place}`))
  for (const [at, suffix] of suffixes.entries()) {
    const left = count - at * lines.length
    if (left <= 0) return
    const offerings = lines.slice(0, left).map(({ offering: it }) =>
      offering({
        ...{ id: it.id, name: `${it.name} ${suffix}`, description: `${it.description} Made ${suffix}.`, price: it.price },
        ...{ slaMinutes: it.sla_minutes, requirement: it.requirement ?? {}, deliverable: it.deliverable ?? {} },
        examples: it.examples,
      }),
    )
    const { id } = await world.agent(`agent-${at}`, offerings)
    await search.put(await world.store.offerings(id))
  }
}

/** A butler with the real database and index, which is sent messages as the worker sends them. */
const openTalk = (world: World, search: Search, model: LanguageModel) => {
  const deps = { ...world.deps, search }
  const { rules } = world.butlerDeps
  const butler = createButler(toButlerDeps(deps, { model, rules }), createCheckpointer(world.store.db))
  const advance = async (id: string): Promise<Run | undefined> => {
    await world.store.wakeRun(id)
    const [claimed] = await world.store.claimRuns(leaseMs, 1)
    if (!claimed) throw new Error(`${id} cannot be advanced`)
    await world.store.releaseRun(id, claimed.lease, await butler.advance(claimed.run, claimed.lease))
    return world.store.run(id)
  }
  return {
    begin: async (id: string, text: string) => {
      await world.run(id, text)
      return advance(id)
    },
    say: async (id: string, text: string) => {
      const { interruptId, proposal } = (await world.store.run(id)) ?? {}
      if (!interruptId) return undefined
      const said = { kind: 'said' as const, text, digest: proposal?.digest ?? '', isLapsed: false, mayAgree: true }
      await world.store.addRunInput(id, interruptId, said)
      return advance(id)
    },
  }
}

type Turn = { kind: 'request' | 'after'; cpu: number; ms: number }

const toFigures = (turns: Turn[]) => {
  const [cpu, ms] = [turns.map(it => it.cpu), turns.map(it => it.ms)]
  return {
    ...{
      turns: turns.length,
      cpu_ms: round(cpu.reduce((a, b) => a + b, 0) / turns.length),
      p99_cpu_ms: round(percentile(cpu, 0.99)),
    },
    ...{ p50_ms: round(percentile(ms, 0.5)), p99_ms: round(percentile(ms, 0.99)) },
  }
}

type Conversing = { count: number; tasks: number; onWarm(): void }
/** `tasks`: requests in each first message, as lines of a numbered list. `onWarm`: what comes before it is not measured. */
const converse = async (talk: ReturnType<typeof openTalk>, { count, tasks, onWarm }: Conversing): Promise<Turn[]> => {
  const { conversations: all } = await readPeople()
  const said = all.filter(it => requests.includes(it.kind)).flatMap(it => it.turns[0]?.say ?? [])
  const lines = (at: number) => Array.from({ length: tasks }, (_, line) => `${line + 1}. ${said[(at + line) % said.length]}`)
  const firsts = tasks === 1 ? said : said.map((_, at) => lines(at).join('\n'))
  const turns: Turn[] = []
  const timed = async (kind: Turn['kind'], work: () => Promise<unknown>) => {
    const [since, began] = [process.cpuUsage(), performance.now()]
    if (await work()) turns.push({ kind, cpu: cpuMs(since), ms: performance.now() - began })
  }
  for (let at = 0; at < count + warmUp; at += 1) {
    if (at === warmUp) {
      turns.length = 0
      onWarm()
    }
    await timed('request', () => talk.begin(`run-${at}`, firsts[at % firsts.length] ?? ''))
    for (const words of afterwards) await timed('after', () => talk.say(`run-${at}`, words))
  }
  return turns
}

/** A model that answers at once, over HTTP in this process, whose own time counts too. It takes the first candidate. */
const openPlayed = async () => {
  const answer = (question: Question) => {
    const call = { language: 'en', candidates: [0], task: newest(question), input: {} }
    const calls = question.text.includes('"open":"proposal"')
      ? [{ tool: 'answer', source: 'open' }]
      : [{ tool: 'propose_hire', ...call }]
    return { words: 'Here is somebody for that.', calls }
  }
  const server = await startModelServer({ answer })
  const tools = JSON.stringify(turnTools).length
  return {
    model: createAiModel({ provider: 'openai-compatible', model: 'played', apiKey: 'none', baseUrl: server.baseUrl }),
    toFigures: (turns: number) => ({
      round_trips: round(server.questions.length / turns),
      input_tokens: Math.round(server.questions.reduce((sum, it) => sum + it.text.length + tools, 0) / charsOfToken / turns),
    }),
    /** Leaves out of the figures what was asked so far. */
    forget: () => {
      server.questions.length = 0
    },
    stop: server.close,
  }
}
/** A token has about so many characters of English. */
const charsOfToken = 4

/**
 * Processor time and latency of turns of the butler: from the stored message to the stored answer. `played`: with a language
 * model that answers at once, in place of none. `tasks`: how many requests a first message has.
 */
export const benchTurn = async ({ offerings, conversations, tasks, played: isPlayed, say }: Options) => {
  const dir = await mkdtemp(join(tmpdir(), 'bench-turn-'))
  const world = await openWorld()
  const search = await openSearch({ dir, clock: { now: Date.now } })
  const played = isPlayed ? await openPlayed() : undefined
  try {
    await stock(world, search, offerings)
    say(`${await search.count()} offerings are indexed`)
    const talk = openTalk(world, search, played?.model ?? noModel)
    const turns = await converse(talk, { count: conversations, tasks, onWarm: () => played?.forget() })
    const calibration = percentile(Array.from({ length: 9 }, calibrate), 0.5)
    for (const kind of ['request', 'after'] as const)
      say(`${kind}: ${JSON.stringify(toFigures(turns.filter(it => it.kind === kind)))}`)
    const figures = toFigures(turns)
    return {
      ...{ bench: 'turn', offerings: await search.count(), tasks, ...figures, ...played?.toFigures(turns.length) },
      ...{ calibration_ms: round(calibration), ratio: round(figures.cpu_ms / calibration) },
    }
  } finally {
    await played?.stop()
    await search.close()
    await world.close()
    await rm(dir, { recursive: true, force: true })
  }
}
