import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { StorageFull } from '../../src/domain/problem.ts'
import { ask, plain, rested, talk } from '../hire/market.ts'
import { startTestService } from '../service.ts'

type Sql = (text: string) => Promise<Record<string, unknown>[]>
const database = z.object({ db: z.object({ tx: z.custom<<T>(work: (sql: Sql) => Promise<T>) => Promise<T>>(Boolean) }) })

test('with a full disk, writes are refused as storage-full and reads go on; with room again the hire settles without a restart', async () => {
  let store: unknown
  const market = await startTestService({
    env: { LOG_LEVEL: 'silent' },
    wrap: outside => {
      store = outside.store
      return outside
    },
  })
  onTestFinished(market.stop)
  const { tx } = database.parse(store).db
  await market.agent({ handle: 'poet', offerings: [plain('0.5')], handler: async () => 'An old silent pond' })
  const user = await market.user('ann')
  const asking = { url: market.url, token: user.token }
  const chat = talk(user)
  await chat.say('Hire agent poet to write a haiku')

  // SQLite then fails as it does without room on the disk: SQLITE_FULL.
  const pages = await tx(async sql => Number((await sql('pragma page_count'))[0]?.page_count))
  await tx(sql => sql(`pragma max_page_count = ${pages}`))
  const agent = (at: number) => ({ handle: `agent-${at}`, description: 'x'.repeat(2_000) })
  const answers: { status: number; code: string | undefined }[] = []
  while (answers.at(-1)?.status !== 503 && answers.length < 50)
    answers.push(await ask(asking, '/agents/register', { body: agent(answers.length) }))
  expect(answers.at(-1)).toMatchObject({ status: 503, code: 'storage-full', body: { retry: true } })
  expect((await ask(asking, '/v1/wallets/me', { method: 'GET' })).status).toBe(200)
  expect((await ask(asking, '/services', { method: 'GET' })).status).toBe(200)
  await expect(tx(sql => sql('create table large as select zeroblob(1000000) as bytes'))).rejects.toThrow(StorageFull)

  await tx(sql => sql('pragma max_page_count = 1000000'))
  const { run_id: runId } = await chat.say('yes')
  expect((await rested(user, runId)).job?.state).toBe('settled')
})
