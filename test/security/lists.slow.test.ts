import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { limits } from '../../src/domain/limits.ts'
import { plain } from '../hire/market.ts'
import { get, post } from '../http/wire.ts'
import { openApp } from '../identity/wallets.ts'
import { createTestClock, startTestService, type TestService, type User, until } from '../service.ts'
import { countUp } from '../store/rows.ts'

let market: TestService
let ada: User
let bob: User
const clock = createTestClock()
beforeAll(async () => {
  market = await startTestService({ clock })
  ada = await market.user('ada')
  bob = await market.user('bob')
})
afterAll(() => market?.stop())
const anyone = { client_id: 'program', description: 'Paint it', reward_amount: 1 }
const filler = (chars: number) => ({ note: 'x'.repeat(chars) })
const board = z.object({ data: z.array(z.looseObject({ task_id: z.string() })), total: z.number() })
const tasks = async (query = '') => board.parse((await get(market.url, `/tasks?${query}`)).json)
const posted = z.object({ job_id: z.string(), expires_at: z.string() })

const openRows = () => new DatabaseSync(join(market.dir, 'market.db'), { timeout: 5_000 })
/** Writes rows as an earlier release could have left them. */
const writeRows = (...statements: string[]) => {
  const database = openRows()
  for (const it of statements) database.exec(it)
  database.close()
}

/** Copies a row of a table up to the given number of rows. */
const copyRow = (table: string, id: string, most: number) => {
  const database = openRows()
  const columns = database.prepare(`select name from pragma_table_info('${table}') where name not in ('seq', 'id')`).all()
  const names = columns.map(it => `"${it.name}"`).join(', ')
  const missing = `select ${most} - count(*) from ${table} where is_proven = 0`
  database.exec(`with recursive more(at) as (select 1 union all select at + 1 from more where at < (${missing}))
    insert into ${table} (id, ${names}) select id || '-' || at, ${names} from ${table}, more where id = '${id}'`)
  database.close()
}

describe('the data that strangers write is bounded:', () => {
  test('a posted job, a group and a gateway agent have at most 8 KiB of metadata', async () => {
    const tooMuch = filler(limits.metadataBytes)
    const agent = await market.agent({ handle: 'member', offerings: [plain('0.01')], handler: () => 'ok' })
    const group = { group_name: 'g', member_agent_ids: [agent.agentId()] }
    for (const [path, body] of [
      ['/v1/jobs', anyone],
      ['/agents/groups/register', group],
      ['/gateway/register', { handle: 'outsider' }],
    ] as const) {
      const answer = await post(market.url, path, { ...body, metadata: tooMuch })
      expect([path, answer.status, answer.json]).toMatchObject([path, 422, { code: 'invalid-input', pointer: '/metadata' }])
      expect((await post(market.url, path, { ...body, metadata: filler(100) })).status).toBe(200)
    }
  })

  test('a registration has at most 64 KiB with its offerings, also after a change', async () => {
    const card = (chars: number) => ({ handle: 'large', chain_id: 97, card: filler(chars) })
    expect(await post(market.url, '/agents/register', card(limits.cardBytes), ada.token)).toMatchObject({ code: 'invalid-input' })
    expect((await post(market.url, '/agents/register', card(40_000), ada.token)).status).toBe(200)
    const more = { headers: {}, extra: filler(40_000) }
    const changed = await fetch(`${market.url}/agents/large`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(more),
    })
    expect([changed.status, await changed.json()]).toMatchObject([422, { code: 'invalid-input' }])
  })

  test('a deliverable of a posted job has at most 256 KiB', async () => {
    const { job_id } = posted.parse((await post(market.url, '/v1/jobs', anyone)).json)
    const submit = (chars: number) =>
      post(market.url, `/v1/jobs/${job_id}/submit`, { provider_id: 'p', deliverable_data: 'x'.repeat(chars) })
    expect(await submit(limits.deliverableBytes)).toMatchObject({ status: 413, code: 'body-too-large' })
    expect((await submit(1_000)).status).toBe(200)
  })

  test('the posted jobs of one client and of one network address are limited, with and without a token', async () => {
    const ask = openApp(market)
    const own = { ...anyone, client_id: bob.wallet }
    const mine = await Promise.all(
      countUp(limits.postedJobs + 2).map(at => ask('/v1/jobs', own, { token: bob.token, from: `192.0.2.${at % 200}` })),
    )
    expect(mine.filter(it => it.status === 200)).toHaveLength(limits.postedJobs)
    expect(mine.at(-1)).toMatchObject({ status: 429, code: 'too-many-postings' })
    const from = '198.51.100.7'
    const here = await Promise.all(countUp(limits.postedJobsOfAddress + 2).map(() => ask('/v1/jobs', anyone, { from })))
    expect(here.filter(it => it.status === 200)).toHaveLength(limits.postedJobsOfAddress)
    expect(here.at(-1)).toMatchObject({ status: 429, code: 'too-many-postings' })
    expect(await ask('/v1/jobs', anyone, { from: '198.51.100.8' })).toMatchObject({ status: 200 })
  })

  test('the posted jobs and groups of all strangers are limited, and a user with a proved wallet can still post', async () => {
    const open = posted.parse((await post(market.url, '/v1/jobs', anyone)).json)
    copyRow('posted_job', open.job_id, limits.postedJobsWithoutToken)
    expect(await post(market.url, '/v1/jobs', anyone)).toMatchObject({ status: 429, code: 'too-many-postings' })
    const own = { ...anyone, client_id: ada.wallet, description: 'Of Ada' }
    expect((await post(market.url, '/v1/jobs', own, ada.token)).status).toBe(200)
    expect((await tasks('limit=1')).data[0]).toMatchObject({ description: 'Of Ada' })
  }, 60_000)
})

describe('lists filter and page in the database', () => {
  test('and read only their own columns, so that large columns of the full record are never parsed', async () => {
    const before = (await tasks('limit=1')).total
    // Code that reads whole rows would fail on these.
    writeRows(`update posted_job set metadata = 'no JSON'`, `update agent set card = 'no JSON'`)
    expect((await tasks('limit=500')).total).toBe(before)
    for (const path of ['/agents?pageSize=100', '/rankings', '/gateway/agents', '/pricing/agents', '/gateway/health'])
      expect([path, (await get(market.url, path)).status]).toEqual([path, 200])
    writeRows(`update posted_job set metadata = '{}'`, `update agent set card = '{}'`)
  })

  test('the board is searched completely, page by page, in any letter case', async () => {
    const needle = { ...anyone, description: '100% of the Größe_needle', client_id: ada.wallet }
    const { job_id } = posted.parse((await post(market.url, '/v1/jobs', needle, ada.token)).json)
    writeRows(`update posted_job set seq = 0 where id = '${job_id}'`)
    for (const query of ['NEEDLE', '100% of', 'größe_n', 'Größe'])
      expect([query, (await tasks(`query=${encodeURIComponent(query)}`)).data.map(it => it.task_id)]).toEqual([query, [job_id]])
    expect(await tasks('query=100_of')).toEqual({ data: [], total: 0 })
    const { data, total } = await tasks('status=open&limit=500&offset=500')
    expect([data.length, total > 2_000, data.some(it => it.task_id === job_id)]).toEqual([500, true, false])
    const last = await tasks(`status=open&limit=1&offset=${total - 1}`)
    expect(last.data.map(it => it.task_id)).toEqual([job_id])
    expect((await tasks('status=fulfilled')).total).toBe(0)
  })

  test('the market counts as many tasks as its board has', async () => {
    const stats = z.object({ total_tasks: z.number() }).loose()
    for (const query of ['', 'chain_id=97', 'chain_id=56'])
      expect(stats.parse((await get(market.url, `/stats/summary?${query}`)).json).total_tasks).toBe((await tasks(query)).total)
  })
})

const jobs = z.array(z.looseObject({ job_id: z.string(), description: z.string() }))

test('a list of one’s own jobs has only proved entries, so that postings in one’s name displace no hire', async () => {
  const victim = await market.user('victim')
  const { wallet, token } = victim
  const mine = posted.parse((await post(market.url, '/v1/jobs', { ...anyone, client_id: wallet }, token)).json)
  const forged = { ...anyone, client_id: `user:${wallet}`, evaluator_id: wallet }
  writeRows('delete from posted_job where is_proven = 0')
  const answers = await Promise.all(countUp(600).map(() => post(market.url, '/v1/jobs', forged)))
  expect(new Set(answers.map(it => it.status))).toEqual(new Set([200]))
  const listed = async (role: string) =>
    jobs.parse((await get(market.url, `/my-jobs?role=${role}`, token)).json).map(it => it.job_id)
  for (const role of ['any', 'client']) expect(await listed(role)).toEqual([mine.job_id])
  expect(await listed('evaluator')).toEqual([])

  const other = posted.parse((await post(market.url, '/v1/jobs', anyone)).json)
  const accept = (bearer?: string) => post(market.url, `/v1/jobs/${other.job_id}/accept?provider_id=${wallet}`, {}, bearer)
  expect((await accept()).status).toBe(200)
  expect(await listed('provider')).toEqual([])
  const submit = `/v1/jobs/${other.job_id}/submit?provider_id=${wallet}`
  expect((await post(market.url, submit, { deliverable_data: 'x'.repeat(10_000) }, token)).status).toBe(200)
  expect(await listed('provider')).toEqual([other.job_id])
  const long = await get(market.url, '/my-jobs?role=provider', token)
  expect([long.text.includes('xxx'), (await get(market.url, `/v1/jobs/${other.job_id}`)).text.includes('xxx')]).toEqual([
    false,
    true,
  ])
}, 60_000)

test('data of strangers is deleted after a day: ended posted jobs, groups, and runs without a user with their checkpoints', async () => {
  const own = posted.parse(
    (await post(market.url, '/v1/jobs', { ...anyone, client_id: ada.wallet, expires_in: 864_000 }, ada.token)).json,
  )
  const short = posted.parse((await post(market.url, '/v1/jobs', { ...anyone, expires_in: 864_000 })).json)
  expect(Date.parse(short.expires_at) - clock.now()).toBeLessThanOrEqual(limits.openWithoutTokenMs)
  const said = z
    .object({ run_id: z.string() })
    .parse((await post(market.url, '/invoke', { message: 'What time is it in Rome?' })).json)
  const hers = z
    .object({ run_id: z.string() })
    .parse((await post(market.url, '/invoke', { message: 'Paint Rome' }, ada.token)).json)
  expect((await get(market.url, `/runs/${said.run_id}`)).status).toBe(200)
  const { wakeups } = market.service.world.deps
  clock.advance(limits.openWithoutTokenMs + limits.ownerlessKeepMs + 60_000, wakeups)
  await until('the sweep', async () => (await get(market.url, `/runs/${said.run_id}`)).status !== 200)
  expect((await get(market.url, `/v1/jobs/${short.job_id}`)).status).toBe(404)
  expect((await get(market.url, `/v1/jobs/${own.job_id}`)).status).toBe(200)
  expect((await get(market.url, `/runs/${hers.run_id}`, ada.token)).status).toBe(200)
  const database = openRows()
  const left = [
    'checkpoint where thread_id',
    'checkpoint_write where thread_id',
    'message where run_id',
    'run_event where run_id',
  ].map(it => database.prepare(`select count(*) as left from ${it} = ?`).get(said.run_id)?.left)
  const groups = database.prepare('select count(*) as left from agent_group where owner is null').get()?.left
  database.close()
  expect([...left, groups]).toEqual([0, 0, 0, 0, 0])
})
