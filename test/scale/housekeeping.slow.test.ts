import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { ask, plain, rested, talk } from '../hire/market.ts'
import { type TestService, until } from '../service.ts'
import { server } from '../store/server.ts'
import { openSharedMarket, type SharedMarket } from './sharedMarket.ts'

let market: SharedMarket
afterAll(() => market?.close())

const found = z.object({ offerings: z.array(z.object({ agent_handle: z.string() })) })
const finds = async (at: TestService, words: string) => {
  const { body } = await ask(at, `/offerings/search?query=${encodeURIComponent(words)}`)
  return found.parse(body).offerings.some(it => it.agent_handle === 'poet')
}

/** Records which process runs a statement that claims what settled jobs teach, also when it finds nothing. */
const recordClaims = `create table claimer (name text primary key);
  create function record_claim() returns trigger language plpgsql as $$ begin
    insert into claimer values (current_setting('application_name')) on conflict do nothing; return null; end $$;
  create trigger claims after update of held_until on outbox for each statement execute function record_claim()`

const run = async (statement: string): Promise<string[]> => {
  const client = new pg.Client({ connectionString: market.databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(statement)
    return (rows ?? []).map(it => it.name)
  } finally {
    await client.end()
  }
}

test.skipIf(!server)(
  'of two processes one learns from settled hires, both search by what it learned, and the other takes over when it stops',
  async () => {
    market = await openSharedMarket(2)
    const [one, two] = market.services
    if (!one || !two) throw new Error('two services did not start')
    await run(recordClaims)
    const agent = await two.agent({ handle: 'poet', offerings: [plain('0.5')], handler: async () => 'An old silent pond' })
    const user = await two.user('ann')
    await market.mint(user.proxy)
    const hire = async (subject: string) => {
      const { say } = talk(user)
      await say(`Hire agent poet to write a haiku about a ${subject}`)
      const { run_id: runId } = await say('yes', 0)
      expect((await rested(user, runId)).job?.state).toBe('settled')
    }
    await hire('volcano eruption')
    for (const it of [one, two]) await until('the words to be learned', () => finds(it, 'volcano eruption'))
    expect(await run('select name from claimer')).toHaveLength(1)
    await one.stop()
    await run('delete from claimer')
    await hire('glacier melting')
    await until('the words to be learned', () => finds(two, 'glacier melting'))
    expect(await run('select name from claimer')).toHaveLength(1)
    await agent.stop()
  },
  120_000,
)
