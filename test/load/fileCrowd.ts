import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { openUser } from '../service.ts'
import { hireMany, startAgents } from './abuse.ts'
import { crowd, percentile, round } from './measures.ts'
import { startServiceProcess } from './serviceProcess.ts'

/** `nice`: priority of the users with files, who are on other machines in reality: 19 is idle. */
type Options = { megabytes: number; users: number; hires: number; nice: number; say(line: string): void }
type Market = Awaited<ReturnType<typeof startServiceProcess>>

const clients = new URL('fileUsers.ts', import.meta.url).pathname
const pollPauseMs = 20
const warmUps = 3
const counted = z.object({
  uploads: z.number(),
  downloads: z.number(),
  wrong: z.number(),
  refused: z.number(),
  bytes: z.number(),
})

/** Polls and hires of others while many users send mixed files at once and fetch them, beside the same without files. */
export const benchFileCrowd = async ({ megabytes, users, hires, nice, say }: Options) => {
  const market = await startServiceProcess({ env: { MAX_FILE_MB: `${Math.ceil(megabytes / users) + 1}` } })
  const ends: (() => unknown)[] = [market.stop]
  try {
    ends.unshift(await startAgents(market))
    const user = await openUser(market.url, join(market.dir, 'bench-user.json'))
    const tokens: string[] = []
    await crowd({ count: users, atOnce: 4 }, async at => {
      tokens.push((await openUser(market.url, join(market.dir, `sender-${at}.json`))).token)
    })
    const hire = (count: number) => hireMany(user, { agent: 'bench-poet', count })
    await hire(warmUps)
    const quiet = await watch(market, () => hire(hires))
    say(`in quiet: hires ${percentile(quiet.result, 0.5)} ms, polls p99 ${quiet.p99Ms} ms, ${quiet.mostMb} MB`)
    say(`${megabytes} MB of ${users} users at once …`)
    const busy = await watch(market, async () => {
      const sent = send({ url: market.url, tokens, nice, megabytes })
      let isOver = false
      void sent.finally(() => {
        isOver = true
      })
      const times = await hireMany(user, { agent: 'bench-poet', count: 0, isEnough: () => isOver })
      return { counts: await sent, times }
    })
    const { counts, times } = busy.result
    const [quietMs, busyMs] = [percentile(quiet.result, 0.5), percentile(times, 0.5)]
    return {
      ...counts,
      users,
      seconds: round(busy.ms / 1_000),
      memory: { quiet_mb: quiet.mostMb, most_mb: busy.mostMb, growth_mb: busy.mostMb - quiet.mostMb },
      polls_p99_ms: { quiet: quiet.p99Ms, busy: busy.p99Ms, ratio: round(busy.p99Ms / quiet.p99Ms) },
      hires_p50_ms: { quiet: round(quietMs), busy: round(busyMs), ratio: round(busyMs / quietMs), count: times.length },
    }
  } finally {
    for (const end of ends) await end()
  }
}

/** Polls as others do during some work, and looks at the memory of the service. */
const watch = async <T>({ url, rssMb }: Market, work: () => Promise<T>) => {
  const over = new AbortController()
  const begun = performance.now()
  const polls: number[] = []
  let mostMb = 0
  const poll = async () => {
    while (!over.signal.aborted) {
      const asked = performance.now()
      await (await fetch(`${url}/gateway/jobs/poll?agent=bench-pushed`)).text()
      polls.push(performance.now() - asked)
      mostMb = Math.max(mostMb, await rssMb())
      await delay(pollPauseMs)
    }
  }
  const polling = poll()
  try {
    const result = await work()
    return { result, ms: performance.now() - begun, p99Ms: round(percentile(polls, 0.99)), mostMb }
  } finally {
    over.abort()
    await polling
  }
}

const send = async (work: { url: string; tokens: string[]; nice: number; megabytes: number }) => {
  const child = spawn(process.execPath, [clients], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(work))
  return counted.parse(await json(child.stdout))
}
