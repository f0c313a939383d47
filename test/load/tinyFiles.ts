import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { hourMs } from '../../src/domain/durations.ts'
import { limits } from '../../src/domain/limits.ts'
import { openUser, type User } from '../service.ts'
import { crowd, percentile, round } from './measures.ts'
import { startServiceProcess } from './serviceProcess.ts'

type Options = { count: number; say(line: string): void }
type Market = Awaited<ReturnType<typeof startServiceProcess>>

/** The rate limit of a user would be the first bound. Without it the next ones are reached. */
const env = { RATE_LIMIT: '0' }
const listed = z.object({ files: z.array(z.unknown()), next: z.number().nullable() })
const pollPauseMs = 20
const lookPauseMs = 250
const quietMs = 3_000
const timedLists = 50

/** Many tiny files of one user, of one provider and of one service: what stays, how long lists and uploads take, and how others fare. */
export const benchTinyFiles = async ({ count, say }: Options) => {
  const dir = await mkdtemp(join(tmpdir(), 'bench-tiny-files-'))
  const during = async <T>(work: (market: Market) => Promise<T>) => {
    const market = await startServiceProcess({ env, dir })
    try {
      return await work(market)
    } finally {
      await market.stop()
    }
  }
  try {
    say(`${count} uploads of one user …`)
    const { owner, quiet, ...sending } = await during(market => sendAll(market, count))
    say(`${count} files of the jobs of one provider …`)
    addJobFiles(dir, owner, count)
    const provider = await during(async market => {
      const user = await openUser(market.url, join(dir, 'sender.json'))
      return { list_p50_ms: await timeLists(user), upload_p50_ms: await timeUploads(market.url, user) }
    })
    say(`${count} expired files …`)
    await addExpired(dir, count)
    const pruning = await during(market => pollsOf(market, () => untilPruned(dir)))
    return {
      count,
      polls_p99_ms: { quiet, uploading: sending.polls_p99_ms, pruning: pruning.p99Ms },
      of_one_user: sending,
      of_one_provider: provider,
      pruned: { seconds: pruning.seconds, left_on_disk: await countOnDisk(dir) },
    }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

const sendAll = async (market: Market, count: number) => {
  const user = await openUser(market.url, join(market.dir, 'sender.json'))
  const quiet = await pollsOf(market, () => delay(quietMs))
  const { result, seconds, p99Ms } = await pollsOf(market, () => sendMany({ url: market.url, user, count }))
  const kept = { listed: await countListed(user), on_disk: await countOnDisk(market.dir), list_p50_ms: await timeLists(user) }
  return { owner: user.wallet, quiet: quiet.p99Ms, seconds, polls_p99_ms: p99Ms, ...result, ...kept }
}

const untilPruned = async (dir: string): Promise<void> => {
  while ((await countOnDisk(dir)) > limits.filesOfUser) await delay(lookPauseMs)
}

/** Polls as others do during some work. */
const pollsOf = async <T>({ url }: Market, work: () => Promise<T>) => {
  const begun = performance.now()
  const times: number[] = []
  let isOver = false
  const polling = (async () => {
    while (!isOver) {
      const asked = performance.now()
      await (await fetch(`${url}/gateway/jobs/poll?agent=nobody`)).text()
      times.push(performance.now() - asked)
      await delay(pollPauseMs)
    }
  })()
  try {
    const result = await work()
    return { result, seconds: round((performance.now() - begun) / 1_000), p99Ms: round(percentile(times, 0.99)) }
  } finally {
    isOver = true
    await polling
  }
}

const post = async (url: string, { token }: User, name: string) => {
  const asked = performance.now()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/plain' }
  const answer = await fetch(`${url}/v1/files?name=${name}.txt`, { method: 'POST', headers, body: name })
  await answer.text()
  return { isTaken: answer.status === 201, ms: performance.now() - asked }
}

const sendMany = async ({ url, user, count }: { url: string; user: User; count: number }) => {
  const times: number[] = []
  let taken = 0
  await crowd({ count, atOnce: limits.fileTransfersOfOne }, async at => {
    const { isTaken, ms } = await post(url, user, `${at}`)
    taken += Number(isTaken)
    times.push(ms)
  })
  const part = Math.ceil(count / 20)
  return {
    taken,
    first_p50_ms: round(percentile(times.slice(0, part), 0.5)),
    last_p50_ms: round(percentile(times.slice(-part), 0.5)),
  }
}

const timeUploads = async (url: string, user: User): Promise<number> => {
  const times: number[] = []
  for (let at = 0; at < timedLists; at += 1) times.push((await post(url, user, `timed-${at}`)).ms)
  return round(percentile(times, 0.5))
}

const timeLists = async ({ client }: User): Promise<number> => {
  const times: number[] = []
  for (let at = 0; at < timedLists; at += 1) {
    const asked = performance.now()
    await client.get('/v1/files?limit=100')
    times.push(performance.now() - asked)
  }
  return round(percentile(times, 0.5))
}

const countListed = async ({ client }: User): Promise<number> => {
  let count = 0
  for (let next: number | null = Number.MAX_SAFE_INTEGER; next !== null; ) {
    const page: z.infer<typeof listed> = listed.parse(await client.get(`/v1/files?limit=100&before=${next}`))
    count += page.files.length
    next = page.next
  }
  return count
}

const countOnDisk = async (dir: string): Promise<number> => {
  let count = 0
  for (const half of await readdir(join(dir, 'files'))) count += (await readdir(join(dir, 'files', half))).length
  return count
}

const idOf = (kind: string, at: number) =>
  `file_${(at % 256).toString(16).padStart(2, '0')}${kind}${at.toString(16).padStart(29, '0')}`

/** Adds rows of files. @param of the values of a row */
const addRows = (dir: string, count: number, of: (at: number) => (string | number | null)[]): void => {
  const db = new DatabaseSync(join(dir, 'market.db'))
  const row = db.prepare(`insert into file (id, owner, job_id, sha256, bytes, media_type, name, sealed, created_at, expires_at)
    values (?, ?, ?, ?, 1, 'text/plain', ?, '', ?, ?)`)
  db.exec('begin')
  for (let at = 0; at < count; at += 1) row.run(...of(at))
  db.exec('commit')
  db.close()
}

/** Files that one provider uploaded for so many jobs. They stay as long as the texts of the jobs. */
const addJobFiles = (dir: string, owner: string, count: number): void => {
  const now = Date.now()
  addRows(dir, count, at => [idOf('a', at), owner, `job-${at}`, `${at}`, 'result.txt', now, now + limits.fileKeepMs])
}

/** Files of other users whose time is over, with their bytes. */
const addExpired = async (dir: string, count: number): Promise<void> => {
  const past = Date.now() - 3 * hourMs
  const ownerOf = (at: number) =>
    `0x${Math.floor(at / limits.filesOfUser)
      .toString(16)
      .padStart(40, '0')}`
  addRows(dir, count, at => [idOf('b', at), ownerOf(at), null, `${at}`, 'old.txt', past, past])
  for (let half = 0; half < 256; half += 1)
    await mkdir(join(dir, 'files', half.toString(16).padStart(2, '0')), { recursive: true })
  await crowd({ count, atOnce: 8 }, at => {
    const id = idOf('b', at).slice('file_'.length)
    return writeFile(join(dir, 'files', id.slice(0, 2), id.slice(2)), 'x')
  })
}
